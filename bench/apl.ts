/**
 * What the query language takes of a processor: text to plan, the engine not included. `node bench/apl.ts`
 * Prints the median and the 99th percentile of each query, and fails where a median is above the target; then the same of texts that
 * would cost much where nothing stopped them.
 */
import { compile } from '@deployment-annotations/apl/compile'
import { LARGE_TEXTS } from '../packages/apl/__tests__/support/large-texts.ts'

const TARGET_MS = 1
const RUNS = 2_000
/** Of a text as large as one may be, whatever is in it. */
const LARGE_TARGET_MS = 50
const LARGE_RUNS = 10

const fields = new Map(
  Array.from({ length: 1_000 }, (_, at) => [`field_${at}.name`, new Set([at % 2 === 0 ? 'integer' : 'string'])] as const),
)
const web = new Map([
  ...fields,
  ['status', new Set(['integer'])],
  ['method', new Set(['string'])],
  ['duration', new Set(['integer', 'float'])],
  ['geo.country', new Set(['string'])],
  ['code', new Set(['integer', 'string'])],
  ['path', new Set(['string'])],
  ['tags', new Set(['array'])],
])
const options = {
  datasets: new Map([['web', { name: 'web', table: 'ds_web', fields: web }]]),
  range: { startNs: 1_767_225_600_000_000_000n, endNs: 1_767_312_000_000_000_000n },
  nowNs: 1_767_312_000_000_000_000n,
}

const QUERIES = {
  page: "web | where status >= 500 and method == 'GET' | sort by _time desc | limit 100",
  projected: "['web'] | where _time > ago(1h) | where status == 200 | project _time, status, method, duration | take 50",
  binned:
    'web | summarize requests = count(), p95 = percentile(duration, 95), errors = countif(status >= 500) by bin_auto(_time), method',
  // Not judged by the target: a mistake is compared with every field.
  'unknown field': 'web | where fild_999.name == 1',
  chained:
    "web | extend slow = duration > 100, path = strcat(method, ' ', ['geo.country']) | where slow | summarize n = count(), avg(duration) by path | extend share = round(100.0 * n / 7, 1) | where n > 3 | top 20 by n",
}

let failed = false

function measure(text: string, runs: number): { median: number; late: number } {
  const times: number[] = []
  for (let at = 0; at < runs; at++) {
    const before = process.cpuUsage()
    try {
      compile(text, options)
    } catch {
      // What is refused is measured with its message.
    }
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1_000)
  }
  times.sort((a, b) => a - b)
  return { median: times[runs >> 1] as number, late: times[Math.floor(runs * 0.99)] as number }
}

function report(texts: readonly (readonly [name: string, text: string])[], runs: number, targetMs: number): void {
  for (const [name, text] of texts) {
    const { median, late } = measure(text, runs)
    process.stdout.write(`${name.padEnd(30)} median ${median.toFixed(3)} ms, p99 ${late.toFixed(3)} ms (≤ ${targetMs} ms)\n`)
    if (median > targetMs && name !== 'unknown field') failed = true
  }
}

report(Object.entries(QUERIES), RUNS, TARGET_MS)
report(
  Object.entries(LARGE_TEXTS).map(([name, [text]]) => [name, text]),
  LARGE_RUNS,
  LARGE_TARGET_MS,
)
process.exitCode = failed ? 1 : 0
