/**
 * A cluster of two shards, two replicas and three Keepers for a test: the one of compose.yaml, started by `docker compose` under a name of
 * its own, so that it shares nothing with one that somebody uses. It needs an engine for containers, which is asked for first.
 *
 *   await using cluster = await startReplicas()
 */
import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

const PROJECT = 'annotation-service-test-cluster'
const COMPOSE = ['compose', '--project-name', PROJECT, '--profile', 'cluster']
/** Pulling images takes most of it. */
const START_MS_MAX = 600_000

export const KEEPERS = ['keeper-1', 'keeper-2', 'keeper-3'] as const
/** The servers and the ports of this machine that lead to them. */
export const SERVERS = {
  'shard-1-replica-1': 8801,
  'shard-1-replica-2': 8802,
  'shard-2-replica-1': 8803,
  'shard-2-replica-2': 8804,
} as const
export type ServerName = keyof typeof SERVERS
type MemberName = ServerName | (typeof KEEPERS)[number]

/** Why the cluster cannot be started here; `undefined` if it can. */
export function reasonToSkip(): string | undefined {
  if (!process.env.TEST_CLUSTER) return '`npm run test:cluster` runs the tests of a replicated cluster'
  for (const args of [['compose', 'version'], ['info']]) {
    const { status, error, stderr } = spawnSync('docker', args, { encoding: 'utf8', timeout: 20_000 })
    if (status === 0) continue
    return `a replicated cluster needs docker compose and its engine: docker ${args.join(' ')} said ${error?.message ?? stderr.trim()}`
  }
  return undefined
}

const urlOf = (name: ServerName) => `http://annotations:annotations@127.0.0.1:${SERVERS[name]}/annotations`

export interface Replicas extends AsyncDisposable {
  /** All servers, for `--clickhouse`. */
  url: string
  /** Asks one server itself. @returns its answer, without the line's end */
  ask(server: ServerName, sql: string): Promise<string>
  /** SIGKILL. */
  kill(name: MemberName): Promise<void>
  /** Starts it again on its data, and waits until it answers. */
  restart(name: MemberName): Promise<void>
  /** SIGKILL, and an empty server in its place. */
  replace(name: ServerName): Promise<void>
  /** Has it hang until the result is disposed of: it accepts connections, and says nothing. */
  hang(name: ServerName): Promise<AsyncDisposable>
}

export async function startReplicas(): Promise<Replicas> {
  const compose = async (...args: string[]) => void (await run('docker', [...COMPOSE, ...args], { timeout: START_MS_MAX }))
  const servers = Object.keys(SERVERS) as ServerName[]
  const restart = (name: MemberName) => compose('up', '--detach', '--wait', '--no-recreate', name)
  const remove = () => compose('down', '--volumes', '--timeout', '1')
  await remove()
  try {
    await compose('up', '--detach', '--wait', ...KEEPERS, ...servers)
  } catch (error) {
    await remove()
    throw error
  }
  return {
    url: servers.map(urlOf).join(','),
    ask: async (server, sql) => {
      const { origin, pathname } = new URL(urlOf(server))
      const answer = await fetch(`${origin}?database=${pathname.slice(1)}`, {
        method: 'POST',
        headers: { 'X-ClickHouse-User': 'annotations', 'X-ClickHouse-Key': 'annotations' },
        body: sql,
      })
      return (await answer.text()).trimEnd()
    },
    kill: (name) => compose('kill', '--signal', 'SIGKILL', name),
    restart,
    async replace(name) {
      await compose('rm', '--stop', '--force', name)
      await run('docker', ['volume', 'rm', `${PROJECT}_${name}`])
      await restart(name)
    },
    async hang(name) {
      await compose('pause', name)
      return { [Symbol.asyncDispose]: () => compose('unpause', name) }
    },
    [Symbol.asyncDispose]: remove,
  }
}
