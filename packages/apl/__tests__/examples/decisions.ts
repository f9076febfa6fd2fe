/**
 * Why documented examples differ: a reason for each, which docs/compatibility.md explains under the same name.
 * Deliberately not here: what differs; see `example.ts`.
 */

export const DECISIONS = [
  'input not shown',
  'names of columns',
  'one value for a group',
  'whole numbers',
  'the page errs',
  'the clock',
  'UTF-8',
  'no network',
  'left out',
  'rows and groups',
] as const
export type Decision = (typeof DECISIONS)[number]

interface Difference {
  readonly reason: string
  readonly detail: string
}

interface Rule {
  readonly decision: Decision
  /** The text of the query. */
  readonly apl?: RegExp
  readonly reason?: RegExp
  readonly detail?: RegExp
}

/** Of any page; the first that fits counts. */
const RULES: readonly Rule[] = [
  { decision: 'no network', detail: /^externaldata is not read/ },
  {
    decision: 'left out',
    reason: /^not supported$/,
    detail:
      /^(?:function '(?:parse_sql|format_sql|genai_\w+|geo_info_from_ip_address|phrases)'|operator "(?:redact|extend-valid)")$/,
  },
  { decision: 'input not shown', reason: /^a field that the page does not show$/ },
  { decision: 'one value for a group', apl: /(?:topk|topkif|percentiles_array|percentiles_arrayif)\(/, reason: /name|columns/ },
  { decision: 'one value for a group', apl: /by\s+histogram\(|histogram\(/, reason: /columns/ },
  { decision: 'names of columns', reason: /^a name that the query does not give$/ },
  { decision: 'rows and groups', reason: /^refused$/, detail: /is a value of single rows here/ },
  { decision: 'UTF-8', apl: /isutf8\(/, reason: /^other rows$/ },
  { decision: 'the clock', apl: /\bnow\(\)|ingestion_time\(\)/, reason: /^other values$/ },
  { decision: 'whole numbers', apl: /\/ ?\d+$/m, reason: /^other values$/, detail: /found -?\d+$/ },
]

/** Single pages whose output does not follow from their own input and query, as counted by hand; by the column or the kind. */
const ERRING: readonly (readonly [page: string, detail: RegExp])[] = [
  ['make-series', /printed .*time; found .*_time/],
  ['series-less-equals', /limit; found|limit, below/],
  ['series-cos', /blocked_durations/],
  ['functions/replace', /sanitized_uri/],
  ['regex-quote', /printed 1; found 0/],
  ['trim-start', /printed 1; found 0/],
  ['trim-end', /failed_attempts/],
  ['trim-end-regex', /failed_attempts/],
  ['string-size', /id_length: printed 24; found 25/],
  ['indexof', /union_pos: printed -1; found 10/],
  ['indexof-regex', /passwd_index: printed 20; found 19/],
  ['countof', /printed 2; found 1/],
  ['strlen', /printed 1; found 0/],
  ['len', /printed 2; found 0/],
  ['parse-urlquery', /printed page, limit,|search_param/],
  ['unixtime-milliseconds-todatetime', /epoch_milliseconds/],
  ['unixtime-microseconds-todatetime', /epoch_microseconds/],
  ['endofday', /remaining_ms: printed 49048000; found 49048999/],
  ['max-of', /39 B/],
  ['rand', /printed _time; found random/],
  ['loggamma', /loggamma_val: printed 16\.1181/],
]

/** @returns the reason of a difference; `undefined` where nobody has decided it */
export function decisionOn({ page, apl }: { page: string; apl: string }, { reason, detail }: Difference): Decision | undefined {
  const fits = (pattern: RegExp | undefined, text: string) => pattern === undefined || pattern.test(text)
  const isErring = ERRING.some(([name, saying]) => page.endsWith(`${name}.mdx`) && saying.test(detail))
  if (isErring) return 'the page errs'
  return RULES.find((rule) => fits(rule.apl, apl) && fits(rule.reason, reason) && fits(rule.detail, detail))?.decision
}
