/**
 * Operators of other languages: SQL, SPL, LogQL, DQL, ES|QL and command lines.
 * Deliberately not here: names that are spelled wrongly; see `nearest.ts`.
 */

const GROUPED = '| summarize count() by field'
const LIMITED = '| limit 10'
const CHOSEN = '| project field, …'
const PARSED = '| extend name = parse_json(field).key'
const FOUND = "| where field contains '…'"
const JOINED = '| join kind=leftouter (dataset) on field'

const ELSEWHERE: Readonly<Record<string, string>> = {
  stats: GROUPED,
  chart: GROUPED,
  aggregate: GROUPED,
  groupby: '| summarize … by field',
  group: '| summarize … by field',
  timechart: '| summarize count() by bin_auto(_time)',
  maketimeseries: '| summarize count() by bin_auto(_time)',
  bucket: '| summarize … by bin(_time, 1h)',
  span: '| summarize … by bin(_time, 1h)',
  eventstats: '| join (dataset | summarize … by field) on field',
  streamstats: '| sort by _time asc | extend name = row_cumsum(field)',
  transaction: '| summarize make_list(field) by id',
  rare: '| summarize count() by field | sort by count_ asc',
  head: LIMITED,
  first: LIMITED,
  tail: '| sort by _time desc | limit 10',
  last: '| sort by _time desc | limit 10',
  offset: '| limit, and a cursor for the next page',
  skip: '| limit, and a cursor for the next page',
  fields: CHOSEN,
  table: CHOSEN,
  select: CHOSEN,
  columns: CHOSEN,
  fieldskeep: CHOSEN,
  keep: CHOSEN,
  cut: CHOSEN,
  drop: '| project-away field, …',
  remove: '| project-away field, …',
  except: '| project-away field, …',
  fieldsremove: '| project-away field, …',
  eval: '| extend name = expression',
  fieldsadd: '| extend name = expression',
  set: '| extend name = expression',
  derive: '| extend name = expression',
  update: '| extend name = expression',
  assign: '| extend name = expression',
  let: '| extend name = expression, or let name = …; before the query',
  rename: '| project-rename new = old',
  fieldsrename: '| project-rename new = old',
  label_format: '| project-rename new = old, or | extend name = expression',
  line_format: '| extend name = strcat(…)',
  dedup: '| distinct field',
  uniq: '| distinct field',
  unique: '| distinct field',
  having: '| where condition',
  filterout: '| where not(condition)',
  grep: FOUND,
  match: FOUND,
  rex: '| parse field with … or extend name = extract(…)',
  grok: '| parse field with … or extend name = extract(…)',
  dissect: '| parse field with …',
  pattern: '| parse field with …',
  regex: "| where field matches regex '…'",
  regexp: "| where field matches regex '…'",
  logfmt: '| parse-kv field as (key, …)',
  kv: '| parse-kv field as (key, …)',
  spath: PARSED,
  json: PARSED,
  unpack: PARSED,
  unwrap: '| summarize avg(field) by …',
  fillnull: '| extend field = coalesce(field, value)',
  sortby: '| sort by field',
  orderby: '| sort by field',
  append: '| union dataset',
  explode: '| mv-expand field',
  expand: '| mv-expand field',
  unnest: '| mv-expand field',
  flatten: '| mv-expand field',
  mv_expand: '| mv-expand field',
  left: JOINED,
  right: '| join kind=rightouter (dataset) on field',
  inner: '| join (dataset) on field',
  full: '| join kind=fullouter (dataset) on field',
  cross: '| join (dataset) on field',
  enrich: '| lookup (dataset) on field',
  mvcount: '| extend n = array_length(field)',
  'mv-apply': '| mv-expand field | summarize … by …',
  'top-nested': '| summarize count() by field | top 10 by count_',
  'sample-distinct': '| distinct field | limit 10',
  serialize: '| sort by field',
  render: 'nothing in its place: a result with bins of time is drawn as a chart',
  reduce: "| summarize count() by replace_regex('[0-9]+', '#', field)",
  partition: '| top 10 by field, or summarize … by field',
}

/** How an operator of another language is written here. */
export function adviceOnOperator(word: string): string | undefined {
  const known = word.toLowerCase()
  return Object.hasOwn(ELSEWHERE, known) ? `write ${ELSEWHERE[known]}` : undefined
}
