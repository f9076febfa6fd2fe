/**
 * What a service says about data that an earlier version made, in the form of what that version said. Deliberately not here: the
 * data itself, see earlier-data.ts.
 */
import { join } from 'node:path'
import { PREFER_ALL_MEMBERS } from '@deployment-annotations/contract/rules/header'
import { TOKENS_PATH } from '@deployment-annotations/contract/token'
import { type RunningService, runServiceCommand } from '../../../../__tests__/support/service.ts'
import { openEmbeddedEngine } from '../../src/store/embedded-engine.ts'
import { type Expected, parseDigits } from './earlier-data.ts'

interface Question {
  body?: unknown
  headers?: Readonly<Record<string, string>>
  token?: string
}

/** @returns status and body; numbers as texts, digit by digit, behind a # */
export async function ask(
  service: Pick<RunningService, 'url' | 'token'>,
  method: string,
  path: string,
  { body, headers, token = service.token }: Question = {},
) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await fetch(service.url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(path.startsWith(TOKENS_PATH) && PREFER_ALL_MEMBERS),
      'content-type': 'application/json',
      ...headers,
    },
    ...(text !== undefined && { body: text }),
  })
  return { status: response.status, body: parseDigits(await response.text()) }
}

const RANGE = { startTime: '1900-01-01T00:00:00Z', endTime: '2262-04-11T00:00:00Z' }
async function query(service: RunningService, apl: string) {
  const { status, body } = await ask(service, 'POST', '/v1/datasets/_apl?format=tabular', { body: { apl, ...RANGE } })
  return { apl, status, columns: (body as { tables?: [{ columns: unknown }] }).tables?.[0].columns }
}

/** Members that later versions added, and what they are of data that was there before. */
const ADDED = {
  datasets: { canWrite: true, mapFields: [] },
  monitors: {
    notifierIds: [],
    notifyByGroup: false,
    notifyEveryRun: false,
    resolvable: false,
    secondDelay: '#0',
    skipResolved: false,
    triggerAfterNPositiveResults: '#0',
    triggerFromNRuns: '#1',
  },
} as const

/** @returns a list of a resource without members that have been added, where they are as they should be */
export function asThen(resource: string, items: unknown): unknown {
  const added: Readonly<Record<string, unknown>> = Object.hasOwn(ADDED, resource) ? ADDED[resource as keyof typeof ADDED] : {}
  const isAsAdded = ([name, value]: [string, unknown]) =>
    Object.hasOwn(added, name) && JSON.stringify(value) === JSON.stringify(added[name])
  return (items as object[]).map((item) => Object.fromEntries(Object.entries(item).filter((member) => !isAsAdded(member))))
}

/**
 * Everything that is expected, as the service says it now.
 * @param env of the service, for subcommands beside it
 */
export async function seen(service: RunningService, expected: Expected, env: Readonly<Record<string, string>> = {}) {
  const get = async (path: string) => (await ask(service, 'GET', path)).body
  const statusOf = async (token: string) => (await ask(service, 'GET', '/v2/annotations', { token })).status
  const listOf = async (kind: string) => (await runServiceCommand([kind, 'list', '--data', service.dataDir], env)).stdout
  return {
    annotations: await get('/v2/annotations'),
    ...(expected.datasets && { datasets: asThen('datasets', await get('/v2/datasets')) }),
    ...(expected.fields && { fields: await get('/v2/datasets/web/fields') }),
    ...(expected.queries && { queries: await Promise.all(expected.queries.map(({ apl }) => query(service, apl))) }),
    ...(expected.monitors && { monitors: asThen('monitors', await get('/v2/monitors')) }),
    tokens: await Promise.all(expected.tokens.map(async (one) => ({ ...one, listsAnnotations: await statusOf(one.secret) }))),
    tokenList: await listOf('token'),
    ...(expected.integrationList && { integrationList: await listOf('integration') }),
  }
}

/** The tables of the engine, while no service has it open; those of events and of the owner by their kind. */
export async function tablesIn(dataDir: string): Promise<string[]> {
  const engine = openEmbeddedEngine(join(dataDir, 'engine'))
  const tables = await engine.select<{ name: string }>(
    `SELECT DISTINCT replaceRegexpOne(name, '^(events|records)_[0-9a-f]+$', '\\\\1_…') AS name
FROM system.tables WHERE database = currentDatabase() ORDER BY name`,
  )
  await engine.close()
  return tables.map(({ name }) => name)
}
