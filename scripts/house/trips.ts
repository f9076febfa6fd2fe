/**
 * Counts what one annotation, one event and one query run through: the files and the named functions of ours that are entered between
 * the request and its answer. The service runs from its source in this process, under the precise coverage of V8.
 * What a few idle seconds enter is left out, and so is a first request of each kind, which opens what stays open.
 *
 *   node scripts/house/trips.ts      prints JSON
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { type Profiler, Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const ROOT = join(import.meta.dirname, '../..')
const TOKEN = 'xapt-0123456789abcdef0123456789abcdef'
/** Longer than the timers of the service that run again and again: those of leases have the longest period, 2.5 s. */
const IDLE_MS = 6_000
/** Longer than a request takes, with what it leaves to be done after its answer. */
const SETTLE_MS = 300

/** How often each request is sent. */
const TIMES = 5

/** What a request enters, by `file` and by `file:function`. */
export interface Trip {
  readonly files: string[]
  readonly functions: string[]
}

const body = (value: unknown) => ({ method: 'POST', body: JSON.stringify(value) })
const now = new Date().toISOString()
const soon = new Date(Date.now() + 60_000).toISOString()

const REQUESTS = {
  annotation: ['/v2/annotations', body({ datasets: ['web'], type: 'deploy', title: 'web 2.15.0' })],
  event: ['/v1/datasets/web/ingest', body([{ status: 500, route: '/checkout', durationMs: 12.5 }])],
  query: [
    '/v1/datasets/_apl?format=tabular',
    body({ apl: "['web'] | where status >= 500 | summarize count() by bin(_time, 1m)", startTime: now, endTime: soon }),
  ],
} as const
export type TripName = keyof typeof REQUESTS

/** @returns the address of the service */
async function start(data: string): Promise<string> {
  const { createServeCommand } = await import(join(ROOT, 'packages/service/src/flags.ts'))
  const { serve } = await import(join(ROOT, 'packages/service/src/serve.ts'))
  const print = console.log
  const ready = new Promise<string>((resolve) => {
    console.log = (line: string) => resolve(/http:\S+/.exec(line)?.[0] ?? '')
  })
  // Without what looks at events by itself, at any time: it is no part of a request.
  const args = ['--port', '0', '--data', data, '--token', TOKEN, '--version-fields', '']
  await createServeCommand().action(serve).parseAsync(args, { from: 'user' })
  return ready.finally(() => {
    console.log = print
  })
}

/** @returns what was entered since coverage was taken last */
async function take(session: Session): Promise<Set<string>> {
  const { result } = (await session.post('Profiler.takePreciseCoverage')) as Profiler.TakePreciseCoverageReturnType
  return new Set(
    result
      .filter(({ url }) => /^file:.*\/packages\/[^/]+\/(?:src|lib)\//.test(url))
      .flatMap(({ url, functions }) =>
        functions
          .filter(({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0)
          .map(({ functionName }) => `${url.replace(/^.*\/packages\//, 'packages/')}:${functionName}`),
      ),
  )
}

async function run(): Promise<Record<TripName, Trip>> {
  const data = mkdtempSync(join(tmpdir(), 'trips-'))
  const url = await start(data)
  const send = async ([path, request]: (typeof REQUESTS)[TripName]) => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
    const answer = await fetch(url + path, { ...request, headers })
    if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`)
    await answer.text()
  }
  const ask = async (request: (typeof REQUESTS)[TripName]) => {
    await send(request)
    await sleep(SETTLE_MS)
  }
  for (const request of [REQUESTS.annotation, REQUESTS.event, REQUESTS.query]) await ask(request)
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await sleep(IDLE_MS)
  const idle = await take(session)
  const trips: Partial<Record<TripName, Trip>> = {}
  for (const name of Object.keys(REQUESTS) as TripName[]) {
    let entered: readonly string[] | undefined
    // Several times, because a timer may happen to run during one of them, and a busy machine makes one slow.
    for (let time = 0; time < TIMES; time++) {
      // One just before it does what requests do only now and then.
      await send(REQUESTS[name])
      await take(session)
      await ask(REQUESTS[name])
      const taken = await take(session)
      entered = (entered ?? [...taken]).filter((one) => taken.has(one) && !idle.has(one))
    }
    const functions = [...(entered ?? [])].sort()
    trips[name] = { functions, files: [...new Set(functions.map((one) => one.slice(0, one.lastIndexOf(':'))))] }
  }
  rmSync(data, { recursive: true, force: true })
  return trips as Record<TripName, Trip>
}

const trips = await run()
process.stdout.write(JSON.stringify(trips), () => process.exit())
