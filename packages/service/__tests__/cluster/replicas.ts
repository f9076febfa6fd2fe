/**
 * A cluster of two shards, two replicas and three Keepers for a test. Beside a checkout that has `../shared`, its folder `cluster` makes
 * one of the engine's own library and Debian's ZooKeeper, without containers, and must be able to. Elsewhere it is the one of
 * compose.yaml, started by `docker compose` under a name of its own, so that it shares nothing with one that somebody uses.
 *
 *   await using cluster = await startReplicas()
 */
import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build, KNOWN_BUILD, library } from '../../../../__tests__/support/clickhouse-server.ts'

const run = promisify(execFile)

const SHARED = fileURLToPath(new URL('../../../../../shared', import.meta.url))
/** Whether `../shared/cluster` plays the part of `docker compose`. */
const isPlayed = existsSync(SHARED)

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
  if (isPlayed) return undefined
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

/** @throws Error if the cluster is to be made of the library, and cannot be made of this one */
function requireBuild(): string {
  if (library && build === KNOWN_BUILD) return library
  throw new Error(
    `${SHARED}/cluster makes a cluster of build ${KNOWN_BUILD} of @chdb/lib-linux-x64-gnu, and ${build} is installed`,
  )
}

export async function startReplicas(): Promise<Replicas> {
  const home = mkdtempSync(join(tmpdir(), 'replicas-'))
  const program = isPlayed ? join(SHARED, 'cluster/docker') : 'docker'
  const env = isPlayed ? { LAB_HOME: home, LAB_LIB: requireBuild(), LAB_NODE: process.execPath } : {}
  const options = { timeout: START_MS_MAX, env: { ...process.env, ...env } }
  const compose = async (...args: string[]) => void (await run(program, [...COMPOSE, ...args], options))
  const servers = Object.keys(SERVERS) as ServerName[]
  const fileOf = (name: ServerName) => join(home, `n${servers.indexOf(name) + 1}`)
  const signal = (name: ServerName, sent: NodeJS.Signals) => process.kill(Number(readFileSync(`${fileOf(name)}.pid`)), sent)
  const kill = (name: MemberName) => compose('kill', '--signal', 'SIGKILL', name)
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
    kill,
    restart,
    async replace(name) {
      await kill(name)
      if (isPlayed) rmSync(fileOf(name), { recursive: true })
      else await compose('rm', '--force', name).then(() => run('docker', ['volume', 'rm', `${PROJECT}_${name}`]))
      await restart(name)
    },
    async hang(name) {
      if (isPlayed) signal(name, 'SIGSTOP')
      else await compose('pause', name)
      return { [Symbol.asyncDispose]: async () => void (isPlayed ? signal(name, 'SIGCONT') : await compose('unpause', name)) }
    },
    async [Symbol.asyncDispose]() {
      await remove()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
