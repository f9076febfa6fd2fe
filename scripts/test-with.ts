/**
 * `npm run test:with -- KIND [folders and flags of jest]`: the tests with more than `npm test` has time or machines for.
 */
import { spawnSync } from 'node:child_process'

interface Kind {
  what: string
  env?: Record<string, string>
  /** Which servers the tests get (.ci/with-servers.ts). */
  servers?: string
  /** The tests that it is about, where these are not all. */
  tests?: string
}

const WORKFLOWS = '__tests__/workflows'
const inRunner = (name: string, server: string): Kind => ({
  what: `workflows in the runner of ${server} that ${server.toUpperCase()}_RUNNER names`,
  env: { TEST_RUNNER: name },
  tests: `${WORKFLOWS}/runners.test.ts`,
})
const KINDS: Readonly<Record<string, Kind>> = {
  rest: { what: 'what npm test leaves out to stay under eight minutes', env: { TEST_REST: '1' } },
  long: { what: 'more random cases, more kills, all pairs', env: { TEST_LONG: '1' } },
  postgres: { what: 'records in PostgreSQL', servers: 'postgres' },
  several: { what: 'three services behind a round robin', env: { TEST_SERVICES: '3' }, servers: 'postgres,clickhouse' },
  cluster: {
    what: 'a replicated cluster, each part of which is killed, of the library in ../shared/cluster or by docker compose',
    env: { TEST_CLUSTER: '1' },
    tests: 'packages/service/__tests__/cluster/replicas.test.ts',
  },
  act: {
    what: 'workflows in nektos/act, which npm run build -- act builds first',
    env: { TEST_RUNNER: 'act' },
    tests: WORKFLOWS,
  },
  'gitea-runner': inRunner('gitea-runner', 'Gitea'),
  'forgejo-runner': inRunner('forgejo-runner', 'Forgejo'),
}
const [name = '', ...args] = process.argv.slice(2)
const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined

if (kind) {
  if (name === 'act') spawnSync('node', ['.ci/build-go-tool.ts', 'act'], { stdio: 'inherit' })
  const command = ['npm', 'test', '--', ...(kind.tests ? [kind.tests] : []), ...args]
  const [program = '', ...words] = kind.servers ? ['node', '.ci/with-servers.ts', kind.servers, ...command] : command
  const { status } = spawnSync(program, words, { stdio: 'inherit', env: { ...process.env, ...kind.env } })
  process.exitCode = status ?? 1
} else {
  console.error(`npm run test:with -- KIND [folders], where KIND is one of these, and not ${JSON.stringify(name)}:`)
  for (const [one, { what }] of Object.entries(KINDS)) console.error(`  ${one.padEnd(16)}${what}`)
  process.exitCode = 2
}
