/**
 * Operators of other languages: SQL, SPL, LogQL, DQL, ES|QL and command lines.
 * Deliberately not here: names that are spelled wrongly; see `text/nearest.ts`.
 */
import { writeText } from '../text/nearest.ts'
import { byWord } from '../text/synonyms.ts'
import { nesting } from '../text/token.ts'
import type { Look } from './habits.ts'

/** Operators of the language that are not supported, and what does the same; nothing does for some. */
const LACKING: Readonly<Record<string, string | undefined>> = {
  as: '| …, and let name = …; before the query for rows that are used twice',
  consume: '| count',
  evaluate: '| summarize … by …: plugins are not there',
  'extend-valid': '| extend name = iff(isnotempty(value), value, name)',
  facet: '| summarize count() by field',
  find: 'search in (dataset, …) "text"',
  fork: 'a query of its own for each branch; on the page, a chart for each in one view',
  invoke: 'a function of the query itself: let name = (T: (*)) { T | … };',
  'mv-apply': '| mv-expand field | summarize … by …',
  partition: '| top 10 by field, or summarize … by field',
  'project-smart': '| project field, …',
  redact: "| extend field = replace_regex('[0-9]+', '*', field)",
  reduce: "| summarize count() by replace_regex('[0-9]+', '#', field)",
  'sample-distinct': '| distinct field | limit 10',
  scan: '| sort by _time asc | extend before = prev(field)',
  'top-nested': '| summarize count() by field | top 10 by count_',
}

/** Operators of other languages, by what is written here. */
const ELSEWHERE = byWord({
  '| summarize count() by field': 'stats chart aggregate',
  '| summarize … by field': 'groupby group',
  '| join (dataset) on field, for each step': 'make-graph graph-match graph-to-table graph-shortest-paths',
  '| project-keep field, …': 'project-by-names',
  '| summarize count() by field | top 10 by count_': 'top-hitters',
  '| summarize count() by bin_auto(_time)': 'timechart maketimeseries',
  '| summarize … by bin(_time, 1h)': 'bucket span',
  '| join (dataset | summarize … by field) on field': 'eventstats',
  '| sort by _time asc | extend name = row_cumsum(field)': 'streamstats',
  '| summarize make_list(field) by id': 'transaction',
  '| summarize count() by field | sort by count_ asc': 'rare',
  '| limit 10': 'head first',
  '| sort by _time desc | limit 10': 'tail last',
  '| limit, and a cursor for the next page': 'offset skip',
  '| project field, …': 'fields table select columns fieldskeep keep cut',
  '| project-away field, …': 'drop remove except fieldsremove',
  '| extend name = expression': 'eval fieldsadd set derive update assign',
  '| extend name = expression, or let name = …; before the query': 'let',
  '| project-rename new = old': 'rename fieldsrename',
  '| project-rename new = old, or | extend name = expression': 'label_format',
  '| extend name = strcat(…)': 'line_format',
  '| distinct field': 'dedup uniq unique',
  '| where condition': 'having',
  '| where not(condition)': 'filterout',
  "| where field contains '…'": 'grep match',
  '| parse field with … or extend name = extract(…)': 'rex grok',
  '| parse field with …': 'dissect pattern',
  "| where field matches regex '…'": 'regex regexp',
  '| parse-kv field as (key, …)': 'logfmt kv',
  '| extend name = parse_json(field).key': 'spath json unpack',
  '| summarize avg(field) by …': 'unwrap',
  '| extend field = coalesce(field, value)': 'fillnull',
  '| sort by field': 'sortby orderby',
  '| union dataset': 'append',
  '| mv-expand field': 'explode expand unnest flatten mv_expand',
  '| join kind=leftouter (dataset) on field': 'left',
  '| join kind=rightouter (dataset) on field': 'right',
  '| join (dataset) on field': 'inner cross',
  '| join kind=fullouter (dataset) on field': 'full',
  '| lookup (dataset) on field': 'enrich',
  '| extend n = array_length(field)': 'mvcount',
})

/** Whether an operator is one of the language that is not supported, and so no spelling mistake. */
export const isLacking = (word: string): boolean => Object.hasOwn(LACKING, word)

/** The arguments of a call as they are written, without blanks. */
function argumentsAt(look: Look): string[] {
  const items = ['']
  for (let ahead = 2, depth = 0; ahead < 60; ahead++) {
    const token = look(ahead)
    if (depth === 0 && (token.kind === 'end' || token.text === ')')) break
    depth += nesting(token)
    if (depth === 0 && token.text === ',') items.push('')
    else items.push(`${items.pop()}${token.kind === 'string' ? writeText(token.text) : token.text}`)
  }
  return items
}

/** `evaluate pivot(field, sum(x), key)` and `evaluate bag_unpack(field)`, with the names of the call. */
function adviceOnPlugin(look: Look): string | undefined {
  const [first, aggregation = 'count()', ...by] = argumentsAt(look)
  const field = first || 'field'
  const [, call, of] = /^([^(]*)\((.*)\)$/.exec(aggregation) ?? []
  const counted = call === undefined ? aggregation : `${call}if(${of && `${of}, `}${field} == 'a')`
  const plugins = new Map([
    ['pivot', `summarize ['a'] = ${counted}, …${by.length > 0 ? ` by ${by.join(', ')}` : ''}`],
    ['bag_unpack', `extend a = ${field}.a, …`],
  ])
  const written = plugins.get(look(0).text)
  return written && `| ${written}: the names of columns are written in the query`
}

/** @param look from behind the operator on. @returns how an operator that there is not is written here */
export function adviceOnOperator(word: string, look: Look): string | undefined {
  const known = word.toLowerCase()
  const plugin = known === 'evaluate' ? adviceOnPlugin(look) : undefined
  const instead = plugin ?? (isLacking(known) ? LACKING[known] : ELSEWHERE.get(known))
  return instead === undefined ? undefined : `write ${instead}`
}
