/**
 * A service with something of everything in it, what its API answers, and the commands that move all of it. Where services and
 * databases are is the tests' own choice, whatever the suite runs on.
 */
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { NODE_24, type RunningService, TEST_TOKEN } from '../../../../__tests__/support/service.ts'
import { deliver, githubStatus, makeIntegration, signGitHub } from '../../../edge/__tests__/platforms/webhooks.ts'
import { ask, MONITOR, tokenWith } from '../http.ts'
import { apl, ingest, ingestEach } from '../query/ask.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))

export type Target = Pick<RunningService, 'url' | 'token'>

/** Numbers at the ends of their types, values of changing types, what is not ASCII, and times before 1970. */
const EVENTS = `[
{"_time": "2024-02-03T04:05:06.123456789Z", "one": 1, "float": 1.0, "max": 18446744073709551615, "min": -9223372036854775808},
{"_time": "1969-12-31T23:59:59.999999999Z", "one": 1.5, "float": 1e300, "flag": true, "text": "é\\u0000\\n\\"'\\\\"},
{"_time": "2024-02-03T04:05:06.123456789Z", "one": "text", "nested": {"deep": {"list": [1, 2.0, "x", null, [true]]}, "": 0}},
{"_time": "2261-01-01T00:00:00Z", "one": true, "list": [{"a": 1}, {"b": 1.0}], "list2": [], "object": {}, "small": 5e-324},
{"_time": "2024-02-03T04:05:07Z", "float": 9007199254740993, "nothing": null, "a.b": 1, "😀": "\\u0001"}
]`

export const KEY = 'a-key-of-a-request'
export const KEYED = [{ _time: '2024-05-06T00:00:00Z', keyed: true }]

export interface Filled {
  /** An API token that was made there. */
  token: string
  /** Id of the annotation that a webhook made. */
  annotation: string
}

/** A webhook that is the same each time. */
export async function deliverAgain(service: Target) {
  const { status, body } = await deliver(service, 'github', signGitHub(githubStatus('success', '2026-03-01T12:00:09Z')))
  if (status !== 200) throw new Error(`the webhook was answered ${status} ${JSON.stringify(body)}`)
  return body
}

/** Fills a service with some of everything; the events of `large` are many small ones. */
export async function fill(service: RunningService, { large = 0 } = {}): Promise<Filled> {
  await ingest(service, 'exact', EVENTS)
  await ingestEach(service, 'wide', 40, (n) => Object.fromEntries(wide(n)))
  await ingestMany(service, 'large', large)
  for (const [method, path, body] of [
    ['POST', '/v2/datasets', { name: 'empty', description: 'nothing in it' }],
    ['PUT', '/v2/datasets/wide', { description: 'many fields', retentionDays: 36_500 }],
    ['POST', '/v2/monitors', DISABLED_MONITOR],
    ['POST', '/v2/saved-views', SAVED_VIEW],
  ] as const) {
    const { status } = await ask(service, method, path, { body })
    if (status >= 300) throw new Error(`${method} ${path} answered ${status}`)
  }
  for (let n = 0; n < 30; n++)
    await ask(service, 'POST', '/v2/annotations', { body: annotation(n), headers: { 'idempotency-key': `key-${n}` } })
  const token = await tokenWith(service, { name: 'ingester', permissions: ['ingest|create'] })
  await makeIntegration(service, 'github')
  return { token, annotation: (await deliverAgain(service)).annotation as string }
}

const DISABLED_MONITOR = {
  ...MONITOR,
  aplQuery: "['exact'] | summarize count()",
  threshold: 1_000_000,
  intervalMinutes: 1_440,
  disabled: true,
}

const SAVED_VIEW = {
  name: 'é "view" \u0000',
  aplQuery: "['exact'] | count",
  datasets: ['exact'],
  startTime: 'now-3h',
  endTime: 'now',
  hiddenTypes: ['deploy'],
  filters: ["n != 'é \\''"],
  columns: ['n'],
  wrapLines: true,
}

/** More fields than a part of the store has columns for. */
function wide(n: number): [string, unknown][] {
  return [
    ['_time', `2024-01-01T00:00:${String(n).padStart(2, '0')}Z`],
    ...Array.from({ length: 10 }, (_, m): [string, unknown] => [`f${n * 10 + m}`, n % 2 ? m : `${m}`]),
  ]
}

/** Creating it once more with its key says what is stored. */
export function annotation(n: number) {
  return {
    datasets: n % 3 ? ['web'] : ['web', 'api'],
    type: 'deploy',
    title: `é "${n}"\u0001`,
    time: `2024-01-01T00:00:00.${String(n).padStart(9, '0')}Z`,
    ...(n % 2 && { endTime: '2024-01-02T00:00:00Z', url: 'https://example.com/' }),
  }
}

export async function ingestMany(service: Target, dataset: string, count: number): Promise<void> {
  const BATCH = 50_000
  for (let from = 0; from < count; from += BATCH) {
    const events = Array.from({ length: Math.min(BATCH, count - from) }, (_, n) => ({
      _time: (from + n) * 1_000,
      n: from + n,
      s: `text ${n % 97}`,
      f: n / 4,
    }))
    await ingest(service, dataset, events)
  }
}

/** What the API says of everything that is to be the same elsewhere. */
export async function answersOf(service: Target) {
  const get = async (path: string) => (await ask(service, 'GET', path)).body
  const fields = async (dataset: string) => get(`/v2/datasets/${dataset}/fields`)
  const rows = async (text: string) => {
    const { status, body } = await apl(service, text)
    return { status, tables: body.tables, matches: body.matches }
  }
  return {
    annotations: await get('/v2/annotations?limit=1000'),
    datasets: await get('/v2/datasets'),
    fields: [await fields('exact'), await fields('wide')],
    monitors: await get('/v2/monitors'),
    savedViews: await get('/v2/saved-views'),
    // The one that was given at start is another each time.
    tokens: ((await get('/v2/tokens')) as { id: string }[]).filter(({ id }) => id !== 'tok_operator'),
    exact: await rows("['exact'] | sort by _time asc"),
    wide: await rows("['wide'] | sort by _time asc"),
    keyed: await rows("['keyed']"),
    large: await rows("['large'] | summarize count(), sum(n), sum(f), dcount(s)"),
    sums: await rows("['exact'] | summarize count(), max(max), min(min) by bin(_time, 1h)"),
  }
}

/** A command that runs until it ends or is killed. */
export function startCommand(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(NODE_24, [join(ROOT, 'packages/service/bin/annotation-service.cjs'), ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text
  })
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.once('close', (code, signal) => resolve(code ?? signal)),
  )
  return { child, output, ended }
}

/** Runs one of the two commands to its good end. @returns what it printed */
export async function move(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { output, ended } = startCommand(args, env)
  const code = await ended
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}:\n${output.stderr}`)
  return output
}

export const asOperator = { ANNOTATION_SERVICE_TOKEN: TEST_TOKEN }

/** @returns the files of events in an export */
export function chunkFiles(directory: string): string[] {
  const events = join(directory, 'events')
  return readdirSync(events, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.zst'))
    .map((file) => join(events, file))
    .sort()
}
