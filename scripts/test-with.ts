/**
 * `npm run test:with -- KIND [folders and flags of jest]`: the tests with more than `npm test` has time or machines for.
 */
import { spawnSync } from 'node:child_process'

/** The command of each kind of run, before the arguments of jest. */
const KINDS: Readonly<Record<string, { env?: Record<string, string>; command: readonly string[]; what: string }>> = {
  rest: { env: { TEST_REST: '1' }, command: ['npm', 'test', '--'], what: 'what npm test leaves out to stay under eight minutes' },
  long: { env: { TEST_LONG: '1' }, command: ['npm', 'test', '--'], what: 'more random cases, more kills, all pairs' },
  postgres: { command: ['node', '.ci/with-servers.ts', 'postgres', 'npm', 'test', '--'], what: 'records in PostgreSQL' },
  several: {
    env: { TEST_SERVICES: '3' },
    command: ['node', '.ci/with-servers.ts', 'postgres,clickhouse', 'npm', 'test', '--'],
    what: 'three services behind a round robin',
  },
  cluster: {
    env: { TEST_CLUSTER: '1' },
    command: ['npm', 'test', '--', 'packages/service/__tests__/cluster/replicas.test.ts'],
    what: 'a replicated cluster, each part of which is killed; by docker compose, and skipped where there is none',
  },
  act: {
    command: ['npm', 'test', '--', '__tests__/workflows'],
    what: 'workflows in nektos/act, which npm run build -- act builds first',
  },
  'gitea-runner': {
    env: { TEST_RUNNER: 'gitea-runner' },
    command: ['npm', 'test', '--', '__tests__/workflows/runners.test.ts'],
    what: 'workflows in the runner of Gitea that GITEA_RUNNER names',
  },
  'forgejo-runner': {
    env: { TEST_RUNNER: 'forgejo-runner' },
    command: ['npm', 'test', '--', '__tests__/workflows/runners.test.ts'],
    what: 'workflows in the runner of Forgejo that FORGEJO_RUNNER names',
  },
}
const [kind = '', ...args] = process.argv.slice(2)
const chosen = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined

if (chosen) {
  if (kind === 'act') spawnSync('node', ['.ci/build-go-tool.ts', 'act'], { stdio: 'inherit' })
  const [program = '', ...rest] = chosen.command
  const { status } = spawnSync(program, [...rest, ...args], { stdio: 'inherit', env: { ...process.env, ...chosen.env } })
  process.exitCode = status ?? 1
} else {
  console.error(`npm run test:with -- KIND [folders], where KIND is one of these, and not ${JSON.stringify(kind)}:`)
  for (const [name, { what }] of Object.entries(KINDS)) console.error(`  ${name.padEnd(16)}${what}`)
  process.exitCode = 2
}
