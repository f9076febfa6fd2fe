/**
 * Functions of other languages and those of this one that are not supported, and how the same is written here.
 * Deliberately not here: names that are spelled wrongly; see `text/nearest.ts`.
 */
import type { Advice, Span } from '../error.ts'

/** The same function under another name: its arguments stay as they are. */
const RENAMED: Readonly<Record<string, string>> = {
  length: 'strlen',
  char_length: 'strlen',
  lower: 'tolower',
  lcase: 'tolower',
  upper: 'toupper',
  ucase: 'toupper',
  concat: 'strcat',
  ifnull: 'coalesce',
  nvl: 'coalesce',
  if: 'iff',
  mean: 'avg',
  average: 'avg',
  count_distinct: 'dcount',
  distinct_count: 'dcount',
  dc: 'dcount',
  uniq: 'dcount',
  approx_count_distinct: 'dcount',
  countdistinct: 'dcount',
  cardinality: 'dcount',
  approx_distinct: 'dcount',
  hll: 'dcount',
  count_if: 'countif',
  sum_if: 'sumif',
  stddev: 'stdev',
  var: 'variance',
  values: 'make_set',
  collect_set: 'make_set',
  collect_list: 'make_list',
  array_agg: 'make_list',
  list: 'make_list',
  ceil: 'ceiling',
  power: 'pow',
  ln: 'log',
  greatest: 'max_of',
  least: 'min_of',
  to_timestamp: 'todatetime',
  parse_timestamp: 'todatetime',
  to_json: 'tostring',
  to_string: 'tostring',
  to_char: 'tostring',
  to_number: 'toreal',
  json_parse: 'parse_json',
  array_size: 'array_length',
  array_contains: 'set_has_element',
  list_contains: 'set_has_element',
  getdate: 'now',
  current_timestamp: 'now',
  sysdate: 'now',
  md5: 'hash_md5',
  sha1: 'hash_sha1',
  sha256: 'hash_sha256',
  makeset: 'make_set',
  makelist: 'make_list',
}

/** What takes other arguments. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  median: 'percentile(field, 50)',
  quantile: 'percentile(field, 95)',
  percentiles: 'percentiles_array(field, 50, 95)',
  perc: 'percentile(field, 95)',
  regexp_match: "field matches regex 'pattern'",
  regexp_matches: "field matches regex 'pattern'",
  regexp_like: "field matches regex 'pattern'",
  regexp_contains: "field matches regex 'pattern'",
  regex_match: "field matches regex 'pattern'",
  match: "field matches regex 'pattern'",
  rlike: "field matches regex 'pattern'",
  like: "field contains 'x', or matches regex 'x.*'",
  contains: "field contains 'x'",
  startswith: "field startswith 'x'",
  starts_with: "field startswith 'x'",
  endswith: "field endswith 'x'",
  ends_with: "field endswith 'x'",
  includes: "field contains 'x'",
  matchesphrase: "field contains 'x'",
  exists: 'isnotnull(field), or field in (dataset | project field)',
  regexp_extract: "extract('pattern', 1, field)",
  regexp_replace: "replace_regex('pattern', 'text', field)",
  substr: 'substring(field, start, length), whose start counts from 0',
  mid: 'substring(field, start, length), whose start counts from 0',
  left: 'substring(field, 0, length)',
  right: 'substring(field, -length)',
  instr: "indexof(field, 'x')",
  strpos: "indexof(field, 'x')",
  position: "indexof(field, 'x')",
  locate: "indexof(field, 'x')",
  date_trunc: 'bin(_time, 1h), or startofday(_time)',
  time_bucket: 'bin(_time, 1h)',
  date_histogram: 'bin(_time, 1h)',
  date_add: "datetime_add('day', 1, _time), or _time + 1d",
  dateadd: "datetime_add('day', 1, _time), or _time + 1d",
  date_sub: "datetime_add('day', -1, _time), or _time - 1d",
  datediff: "datetime_diff('day', later, earlier)",
  date_diff: "datetime_diff('day', later, earlier)",
  date: 'startofday(_time), or datetime(2026-01-31)',
  today: 'startofday(now())',
  curdate: 'startofday(now())',
  current_date: 'startofday(now())',
  year: 'getyear(_time)',
  month: 'getmonth(_time)',
  day: 'dayofmonth(_time)',
  hour: 'hourofday(_time)',
  minute: "datetime_part('minute', _time)",
  extract_json: 'parse_json(field).key',
  json_extract: 'parse_json(field).key',
  json_value: 'parse_json(field).key',
  get_json_object: 'parse_json(field).key',
  first: 'arg_min(_time, field)',
  earliest: 'arg_min(_time, field)',
  last: 'arg_max(_time, field)',
  latest: 'arg_max(_time, field)',
  group_concat: "strcat_array(make_list(field), ',')",
  string_agg: "strcat_array(make_list(field), ',')",
  cast: 'tostring(field), tolong(field), toreal(field), tobool(field) or todatetime(field)',
  convert: 'tostring(field), tolong(field), toreal(field), tobool(field) or todatetime(field)',
  tonumber: 'toreal(field) or tolong(field)',
  format_datetime: 'tostring(_time), or the parts of it: datetime_part(part, _time)',
  date_format: 'tostring(_time), or the parts of it: datetime_part(part, _time)',
  strftime: 'tostring(_time), or the parts of it: datetime_part(part, _time)',
  count_over_time: 'summarize count() by bin(_time, 5m)',
  sum_over_time: 'summarize sum(field) by bin(_time, 5m)',
  avg_over_time: 'summarize avg(field) by bin(_time, 5m)',
  increase: 'summarize sum(field) by bin(_time, 5m)',
  histogram_quantile: 'percentile(field, 95)',
  pack_all: 'pack(*)',
  make_bag: 'make_list(pack(key, value))',
  make_datetime: 'datetime(2026-01-31), or todatetime(text)',
  endofhour: 'bin(_time, 1h) + 1h',
  startofhour: 'bin(_time, 1h)',
  rank: 'row_number()',
  lag: 'prev(field)',
  lead: 'next(field)',
  mod: 'x % y',
  try_cast: 'tolong(field), which is missing where the text is no number',
}

/** Functions of the language that are not supported, and what to do instead. A list of prices goes stale and then makes wrong sums. */
const LACKING: Readonly<Record<string, string>> = {
  parse_sql: "find a part of the statement with extract('from ([a-z_]+)', 1, tolower(query))",
  format_sql: "write replace_regex('[ \\n]+', ' ', query) to put a statement on one line",
  genai_cost: 'multiply by your own prices: (input_tokens * 2.5 + output_tokens * 10.0) / 1000000',
  genai_input_cost: 'multiply by your own price: input_tokens * 2.5 / 1000000',
  genai_output_cost: 'multiply by your own price: output_tokens * 10.0 / 1000000',
  genai_get_pricing: "look up your own prices with | lookup (datatable (model:string, input:real) ['a-model', 2.5]) on model",
  geo_info_from_ip_address: 'send the place with each event, as geo.country',
}

/** @returns what to do without a function of the language that is not supported; `undefined` for any other name */
export function adviceOnLacking(name: string): string | undefined {
  return Object.hasOwn(LACKING, name) ? LACKING[name] : undefined
}

/** `p95(field)`. */
const PERCENTILE = /^p(\d{1,2})$/i

/** @param name the function that is called, and its place */
export function adviceOnFunction(name: string, span: Span): Advice | undefined {
  const known = name.toLowerCase()
  const percent = PERCENTILE.exec(known)?.[1]
  if (percent !== undefined) return { hint: `write percentile(field, ${percent})` }
  if (Object.hasOwn(RENAMED, known)) {
    const written = RENAMED[known] as string
    return { hint: `write ${written}(…)`, fix: [{ span, text: written }] }
  }
  return Object.hasOwn(ELSEWHERE, known) ? { hint: `write ${ELSEWHERE[known]}` } : undefined
}
