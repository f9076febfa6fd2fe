/**
 * Functions of other languages and those of this one that are not supported, and how the same is written here.
 * Deliberately not here: names that are spelled wrongly; see `text/nearest.ts`.
 */
import type { Advice, Guess } from '../error.ts'
import { byWord } from '../text/synonyms.ts'

/** The same function under another name: its arguments stay as they are. */
const RENAMED = byWord({
  strlen: 'length char_length',
  tolower: 'lower lcase',
  toupper: 'upper ucase',
  strcat: 'concat',
  coalesce: 'ifnull nvl',
  iff: 'if',
  avg: 'mean average',
  dcount: 'count_distinct distinct_count dc uniq approx_count_distinct countdistinct cardinality approx_distinct hll',
  countif: 'count_if',
  sumif: 'sum_if',
  stdev: 'stddev',
  variance: 'var',
  make_set: 'values collect_set makeset',
  percentiles_array: 'percentiles',
  make_list: 'collect_list array_agg list makelist',
  ceiling: 'ceil',
  pow: 'power',
  log: 'ln',
  max_of: 'greatest',
  min_of: 'least',
  todatetime: 'to_timestamp parse_timestamp',
  tostring: 'to_json to_string to_char toguid',
  decimal: 'todecimal',
  toreal: 'to_number',
  parse_json: 'json_parse',
  array_length: 'array_size',
  set_has_element: 'array_contains list_contains',
  now: 'getdate current_timestamp sysdate',
  hash_md5: 'md5',
  hash_sha1: 'sha1',
  hash_sha256: 'sha256',
  url_encode: 'url_encode_component',
})

/** What takes other arguments. */
const ELSEWHERE = byWord({
  'percentile(field, 50)': 'median',
  'percentile(field, 95)': 'quantile perc histogram_quantile',
  "field matches regex 'pattern'": 'regexp_match regexp_matches regexp_like regexp_contains regex_match match rlike',
  "field contains 'x', or matches regex 'x.*'": 'like',
  "field contains 'x'": 'contains includes matchesphrase',
  "field startswith 'x'": 'startswith starts_with',
  "field endswith 'x'": 'endswith ends_with',
  'isnotnull(field), or field in (dataset | project field)': 'exists',
  "extract('pattern', 1, field)": 'regexp_extract',
  "replace_regex('pattern', 'text', field)": 'regexp_replace',
  'substring(field, start, length), whose start counts from 0': 'substr mid',
  'substring(field, 0, length)': 'left',
  'substring(field, -length)': 'right',
  "indexof(field, 'x')": 'instr strpos position locate',
  'bin(_time, 1h), or startofday(_time)': 'date_trunc',
  'bin(_time, 1h)': 'time_bucket date_histogram startofhour',
  "datetime_add('day', 1, _time), or _time + 1d": 'date_add dateadd',
  "datetime_add('day', -1, _time), or _time - 1d": 'date_sub',
  "datetime_diff('day', later, earlier)": 'datediff date_diff',
  'startofday(_time), or datetime(2026-01-31)': 'date',
  'startofday(now())': 'today curdate current_date',
  'getyear(_time)': 'year',
  'getmonth(_time)': 'month',
  'dayofmonth(_time)': 'day',
  'hourofday(_time)': 'hour',
  "datetime_part('minute', _time)": 'minute',
  'parse_json(field).key': 'extractjson extract_json json_extract json_value get_json_object',
  'arg_min(_time, field)': 'first earliest',
  'arg_max(_time, field)': 'last latest',
  "strcat_array(make_list(field), ',')": 'group_concat string_agg',
  'tostring(field), tolong(field), toreal(field), tobool(field) or todatetime(field)': 'cast convert',
  'toreal(field) or tolong(field)': 'tonumber',
  'tostring(span), or span / 1m for minutes': 'format_timespan',
  'bin(field - start, size) + start': 'bin_at',
  "extract('<name>([^<]*)', 1, field)": 'parse_xml',
  "split(field, ' ')": 'parse_command_line',
  "extract('(Firefox|Edg|Chrome|Safari)', 1, field)": 'parse_user_agent',
  "hash(strcat(a, '|', b))": 'hash_many',
  'hash_md5(strcat(_time, field)), of what differs from row to row': 'new_guid',
  'series_stats_dynamic(series), whose avg and stdev say which items are far out':
    'series_decompose series_decompose_anomalies series_decompose_forecast series_outliers series_seasonal series_periods_detect',
  'make-series … | extend change = series_subtract(series, other)':
    'series_fit_line series_fit_line_dynamic series_fit_2lines series_fit_2lines_dynamic series_fit_poly',
  'dcount(field) or percentile(field, 95) of the rows themselves':
    'tdigest tdigest_merge percentile_tdigest hll_merge dcount_hll',
  "replace_string('x', 'y', field), once for each text": 'replace_strings',
  'bag_pack(key, value, …) of the members that it is to have': 'bag_merge bag_set_key bag_remove_keys',
  "split(field, '.')": 'parse_version',
  'field has_any (…)': 'has_any_index',
  "datetime_add('hour', 2, _time): times are UTC": 'datetime_utc_to_local datetime_local_to_utc',
  'bin(_time, 1h) for a group, tostring(_time) for a text, or datetime_part(part, _time)': 'format_datetime date_format strftime',
  'summarize count() by bin(_time, 5m)': 'count_over_time',
  'summarize sum(field) by bin(_time, 5m)': 'sum_over_time increase',
  'summarize avg(field) by bin(_time, 5m)': 'avg_over_time',
  'pack(*)': 'pack_all',
  'make_list(pack(key, value))': 'make_bag',
  'datetime(2026-01-31), or todatetime(text)': 'make_datetime',
  'bin(_time, 1h) + 1h': 'endofhour',
  'row_number()': 'rank row_rank_dense row_rank_min',
  'prev(field)': 'lag',
  'next(field)': 'lead',
  'x % y': 'mod',
  'tolong(field), which is missing where the text is no number': 'try_cast',
})

/** Functions of the language that are not supported, and what to do instead. A list of prices goes stale and then makes wrong sums. */
const LACKING: Readonly<Record<string, string>> = {
  parse_sql: "find a part of the statement with extract('from ([a-z_]+)', 1, tolower(query))",
  format_sql: "write replace_regex('[ \\n]+', ' ', query) to put a statement on one line",
  genai_cost: 'multiply by your own prices: (input_tokens * 2.5 + output_tokens * 10.0) / 1000000',
  genai_input_cost: 'multiply by your own price: input_tokens * 2.5 / 1000000',
  genai_output_cost: 'multiply by your own price: output_tokens * 10.0 / 1000000',
  genai_get_pricing: "look up your own prices with | lookup (datatable (model:string, input:real) ['a-model', 2.5]) on model",
  genai_conversation_turns: `count what people wrote: countof('"role":"user"', tostring(messages))`,
  genai_estimate_tokens: 'four characters are about one token: strlen(text) / 4',
  genai_is_truncated: "compare the reason: finish_reason in ('length', 'max_tokens')",
  phrases: "count a part of the text: summarize count() by extract('([a-z]+ [a-z]+)', 1, tolower(field))",
  geo_info_from_ip_address: 'send the place with each event, as geo.country',
}

/** @returns what to do without a function of the language that is not supported; `undefined` for any other name */
export function adviceOnLacking(name: string): string | undefined {
  return Object.hasOwn(LACKING, name) ? LACKING[name] : undefined
}

/** `p95(field)`. */
const PERCENTILE = /^p(\d{1,2})$/i

/** @param name the function that is called */
export function adviceOnFunction(name: string): Guess | Advice | undefined {
  const known = name.toLowerCase()
  const percent = PERCENTILE.exec(known)?.[1]
  if (percent !== undefined) return { hint: `write percentile(field, ${percent})` }
  const renamed = RENAMED.get(known)
  if (renamed !== undefined) return { hint: `write ${renamed}(…)`, written: renamed }
  if (known.startsWith('geo_'))
    return { hint: 'places are not computed: send the name of the place with each event, as geo.country' }
  const elsewhere = ELSEWHERE.get(known)
  return elsewhere === undefined ? undefined : { hint: `write ${elsewhere}` }
}
