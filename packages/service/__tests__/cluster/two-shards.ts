/**
 * A cluster of two shards for a test: two of the library's servers, and in front of them a proxy that plays the part of Keeper,
 * which is not at hand. The proxy runs a statement ON CLUSTER on both servers and makes plain tables of replicated ones; anything
 * else goes to the first server as it is, so that shards, distributed tables and what is told of them are real.
 * Deliberately not here: replicas. Nothing of them can be tested without Keeper.
 *
 *   await using cluster = await startTwoShards()
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request as openRequest, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ClickHouse, startClickHouse } from '../../../../__tests__/support/clickhouse-server.ts'
import { freePort } from '../../../../__tests__/support/free-port.ts'
import { listen } from '../../../../__tests__/support/listen.ts'

export const CLUSTER = 'main'

export interface TwoShards extends AsyncDisposable {
  /** Of the proxy, for `--clickhouse`. */
  url: string
  /** Of one server, without the proxy. */
  serverUrl(shard: number): string
  /** The statements so far. */
  statements: string[]
  /** Asks one server itself. @param shard 1 or 2. @returns its answer, without the line's end */
  ask(shard: number, sql: string): Promise<string>
  /** SIGKILL to the server of a shard. */
  kill(shard: number): Promise<void>
  /** Starts it again on its data. */
  restart(shard: number): Promise<void>
}

interface Shard {
  directory: string
  port: number
  tcpPort: number
  config: string
  server?: ClickHouse
}

/** @param options.hasMacros whether the servers know which shard they are */
export async function startTwoShards({ hasMacros = true } = {}): Promise<TwoShards> {
  const home = mkdtempSync(join(tmpdir(), 'two-shards-'))
  const shards: Shard[] = []
  for (const number of [1, 2]) {
    const directory = join(home, `${number}`)
    shards.push({ directory, port: await freePort(), tcpPort: await freePort(), config: join(home, `${number}.xml`) })
  }
  for (const [index, { config }] of shards.entries())
    writeFileSync(config, configure(shards, hasMacros ? macrosOf(index + 1) : ''))
  const start = async (shard: Shard) => {
    shard.server = await startClickHouse(shard)
  }
  await Promise.all(shards.map(start))
  const at = (number: number) => shards[number - 1] as Shard
  const statements: string[] = []
  const proxy = await listen(createServer((request, response) => void answer(request, response, shards, statements)))
  return {
    url: proxy.url,
    serverUrl: (number) => `http://127.0.0.1:${at(number).port}`,
    statements,
    ask: async (number, sql) => (await (await send(at(number).port, '/', Buffer.from(sql))).text()).trimEnd(),
    kill: async (number) => at(number).server?.kill(),
    restart: (number) => start(at(number)),
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]()
      for (const { server } of shards) await server?.kill()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

const macrosOf = (number: number) => `<macros><shard>${number}</shard><replica>1</replica></macros>`

function configure(shards: readonly Shard[], macros: string): string {
  const all = shards.map(
    ({ tcpPort }) => `<shard>
      <internal_replication>true</internal_replication>
      <replica><host>127.0.0.1</host><port>${tcpPort}</port></replica>
    </shard>`,
  )
  return `<clickhouse>
  <remote_servers><${CLUSTER}>${all.join('')}</${CLUSTER}></remote_servers>
  ${macros}
</clickhouse>`
}

async function answer(request: IncomingMessage, response: ServerResponse, shards: readonly Shard[], statements: string[]) {
  const path = request.url ?? '/'
  const body = Buffer.concat(await request.toArray())
  const statement = new URL(path, 'http://proxy').searchParams.get('query') ?? body.toString()
  statements.push(statement)
  if (!/ON CLUSTER '/.test(statement)) return forward(request, response, shards[0] as Shard, body)
  if (statement.startsWith('SYSTEM SYNC REPLICA')) return response.end()
  const plain = Buffer.from(withoutReplicas(statement))
  const answers = await Promise.all(shards.map(({ port }) => send(port, path, plain).catch(() => undefined)))
  const failed = answers.find((one) => one?.ok === false)
  if (failed) return response.writeHead(failed.status).end(await failed.text())
  const away = answers.filter((one) => one === undefined).length
  // In the words of a real server that waited for a host in vain.
  const late = `Code: 159. DB::Exception: Distributed DDL task is not finished on ${away} of 2 hosts. (TIMEOUT_EXCEEDED)`
  return away > 0 ? response.writeHead(500).end(late) : response.end()
}

function withoutReplicas(statement: string): string {
  return statement
    .replace(/ON CLUSTER '[^']*'/, '')
    .replace(/ReplicatedMergeTree\([^)]*\)/, 'MergeTree')
    .replace(/(MergeTree ORDER BY .* SETTINGS) /s, '$1 non_replicated_deduplication_window = 10000, ')
}

const send = (port: number, path: string, body: Buffer) =>
  fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body: new Uint8Array(body) })

/** The client's own request, and the server's own answer. */
function forward({ method, url, headers }: IncomingMessage, response: ServerResponse, { port }: Shard, body: Buffer): void {
  openRequest({ host: '127.0.0.1', port, method, path: url, headers }, (from) => {
    response.writeHead(from.statusCode ?? 500, from.headers)
    from.pipe(response)
  })
    .on('error', () => response.destroy())
    .end(body)
}
