/**
 * Published workflows in the worlds of a file of data: each runs as it stands on its page, in nektos/act, against the real service.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { NewAnnotation } from '@deployment-annotations/contract/annotation'
import { afterEach, beforeAll, expect } from '@jest/globals'
import { parse } from 'yaml'
import { clientForTests } from '../support/client.ts'
import { serviceForTests } from '../support/for-tests.ts'
import { hasPrometheus, startPrometheus } from '../support/prometheus.ts'
import { AWAY, makeRepository, testInRunner, type WorkflowOptions } from '../support/runners.ts'
import { storeTraffic, type Traffic } from '../support/traffic.ts'
import { filesOf } from './recipes.ts'

export interface WorkflowCase {
  name: string
  page: string
  /** The name of its file, without the ending. */
  workflow: string
  /** Shell commands that make the history of the repository; what they print is the commit before the push. */
  repository?: string
  /** What the service has before. */
  stored?: NewAnnotation[]
  /** No service answers, or none answers the step that compares. */
  isAway?: 'always' | 'judging'
  /** The clock of what deploys and marks is a quarter of an hour slow, so that the time after it is over when it is compared. */
  isAgo?: boolean
  /** A Prometheus answers in place of the one that the page names; without one on this machine the case is left out. */
  asksPrometheus?: boolean
  runs?: CaseRun[]
  /** What the service has afterwards, by time and title. Here and in `log`, a text between slashes is a pattern. */
  annotations: object[]
}

/** Default: it is green, without an error or a warning in its log, and what it deploys is deployed. */
interface CaseRun extends WorkflowOptions {
  exitCode?: number
  log?: string
  deploys?: boolean
}

const PROMETHEUS = 'https://prometheus.example.com'
const QUARTER_MS = 15 * 60_000
/** The time that an example of docs/compare.md names. */
const LONG_AGO_MS = Date.parse('2026-01-31T12:00:00Z')
/** What Node and Bash read first, because a workflow has no clock that a test could drive. */
const SLOW_CLOCK = {
  NODE_OPTIONS: `--import=${join(import.meta.dirname, 'slow-clock.js')}`,
  BASH_ENV: join(import.meta.dirname, 'slow-clock.sh'),
}

export const readCases = (file: string) => parse(readFileSync(join(import.meta.dirname, file), 'utf8')) as WorkflowCase[]

const readPattern = (text: string) => /^\/(.*)\/$/s.exec(text)?.[1]

/** @returns the same, with a matcher in place of each pattern */
function withMatchers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withMatchers)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withMatchers(member)]))
  const pattern = typeof value === 'string' ? readPattern(value) : undefined
  return pattern === undefined ? value : expect.stringMatching(new RegExp(pattern))
}

/** A shop of which one request in a hundred fails, scraped every quarter of a minute. */
function scrapes() {
  const times = Array.from({ length: 301 }, (_, n) => ({ atMs: Date.now() - (300 - n) * 15_000, n }))
  const of = (code: number, each: number) =>
    times.map(({ atMs, n }) => ({ series: `http_requests_total{job="shop",code="${code}"}`, atMs, value: n * each }))
  return [...of(200, 990), ...of(500, 10)]
}

/** Makes a test of each case. @param failing the share of requests that fail before and after the deployment a quarter of an hour ago */
export function testCases(cases: readonly WorkflowCase[], { failing }: Pick<Traffic, 'failing'>): void {
  const service = serviceForTests()
  const client = clientForTests(service)
  beforeAll(async () => {
    for (const name of ['web-staging', 'api', 'user-api']) await client.datasets.create({ name })
    const recently = { atMs: Date.now() - QUARTER_MS, failing, minutes: [60, 15] } as const
    for (const dataset of ['web', 'shop']) await storeTraffic(client, { dataset, ...recently })
    await storeTraffic(client, { dataset: 'shop', atMs: LONG_AGO_MS, failing, minutes: [720, 120], requestsPerMinute: 5 })
  })
  afterEach(async () => {
    for (const { id } of await client.annotations.list()) await client.annotations.delete(id)
  })

  const possible = cases.filter(({ asksPrometheus }) => hasPrometheus || !asksPrometheus)
  testInRunner.each(possible)('$page, $workflow: $name', async ({ page, workflow, annotations, ...world }) => {
    for (const annotation of world.stored ?? []) await client.annotations.create(annotation)
    await using prometheus = world.asksPrometheus ? await startPrometheus(scrapes()) : undefined
    const files = filesOf(page, { [PROMETHEUS]: prometheus?.url ?? PROMETHEUS })
    const isDeployed = files[`.github/workflows/${workflow}.yml`]?.includes('./deploy') ?? false
    const services = {
      step: world.isAway === 'always' ? AWAY : service.url,
      compare: world.isAway ? AWAY : service.url,
    }
    using repository = makeRepository(join(import.meta.dirname, 'deployed'), services, files)
    const before = world.repository && repository.shell(world.repository)
    for (const { exitCode = 0, log: pattern, deploys = isDeployed, ...options } of world.runs ?? [{}]) {
      const payload = { ref: 'refs/heads/main', repository: { name: 'shop' }, before, ...options.payload }
      const env = { ...(world.isAgo && SLOW_CLOCK), ...options.env }
      const secrets = { AXIOM_TOKEN: service.token }
      const run = await repository.run(`${workflow}.yml`, { secrets, ...options, payload, env })
      const log = pattern ? withMatchers(pattern) : expect.not.stringMatching(/::(?:error|warning)/)
      expect(run).toMatchObject({ exitCode, log })
      expect(/\| deployed/.test(run.log)).toBe(deploys)
    }
    const stored = await client.annotations.list()
    const sorted = stored.sort((a, b) => `${a.time} ${a.title}`.localeCompare(`${b.time} ${b.title}`))
    expect(sorted).toMatchObject(withMatchers(annotations) as object[])
  })
}
