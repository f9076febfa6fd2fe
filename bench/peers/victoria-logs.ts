/**
 * VictoriaLogs, a server of its own, asked over HTTP in its own language. `VICTORIA_LOGS` names its binary, which nothing here builds:
 * `go build ./app/victoria-logs` in the source of its Go module takes about a minute.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../__tests__/support/free-port.ts'
import { type Client, createClient } from '../support/client.ts'
import { END_MS, START_MS } from './events.ts'
import type { Row, System } from './system.ts'

export const VICTORIA_LOGS = 'VictoriaLogs'

const CLIENTS = 8
const START_MS_MAX = 20_000
const INSERT = '/insert/jsonline?_stream_fields=host&_time_field=_time&_msg_field=message'
/** What is acknowledged is on the disk after 5 s at the latest; its upkeep has merged small parts long before the service's rest ends. */
const SETTLE_MS = 30_000

/** @returns `undefined` where no binary is named */
export async function openVictoriaLogs(folder: string): Promise<System | undefined> {
  const binary = process.env.VICTORIA_LOGS
  if (binary === undefined) return undefined
  mkdirSync(folder, { recursive: true })
  const server = await start(binary, folder)
  const post = async (path: string, body: Buffer, type: string) => {
    const { status, text } = await server.client.post(path, body, type)
    if (status !== 200) throw new Error(`VictoriaLogs answered ${status} ${text.slice(0, 300)}`)
    return text
  }
  return {
    name: VICTORIA_LOGS,
    version: versionOf(binary),
    promise: 'in memory; on the disk within 5 s',
    writers: CLIENTS,
    async insert(body) {
      // It takes one event a line. No text of the events has these characters in it.
      await post(INSERT, Buffer.from(body.toString().slice(1, -1).replaceAll('},{', '}\n{')), 'application/stream+json')
    },
    async settle() {
      await sleep(SETTLE_MS)
      return Number(execFileSync('du', ['-sb', folder], { encoding: 'utf8' }).split('\t')[0])
    },
    async prepare(question, constants) {
      const { query, ...more } = question.logsQl(constants)
      const start = question.from?.(constants) ?? new Date(START_MS).toISOString()
      const form = new URLSearchParams({ query, start, end: new Date(END_MS).toISOString(), ...more })
      const body = Buffer.from(form.toString())
      return async () => {
        const text = await post('/select/logsql/query', body, 'application/x-www-form-urlencoded')
        return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Row]))
      }
    },
    async [Symbol.asyncDispose]() {
      await end(server, 'SIGKILL')
    },
  }
}

interface Server {
  child: ChildProcess
  client: Client
}

async function start(binary: string, folder: string): Promise<Server> {
  const port = await freePort()
  const address = `127.0.0.1:${port}`
  const flags = [`-storageDataPath=${folder}`, `-httpListenAddr=${address}`, '-retentionPeriod=100y', '-futureRetention=100y']
  const child = spawn(binary, flags, { stdio: 'ignore' })
  const url = `http://${address}`
  for (const endMs = performance.now() + START_MS_MAX; ; await sleep(20)) {
    const isUp = await fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) return { child, client: createClient({ url, token: '' }, CLIENTS) }
    if (child.exitCode !== null || performance.now() > endMs) throw new Error(`${binary} did not start at ${url}`)
  }
}

async function end({ child, client }: Server, signal: NodeJS.Signals): Promise<void> {
  client.close()
  const ended = once(child, 'close')
  child.kill(signal)
  await ended
}

function versionOf(binary: string): string {
  const told = execFileSync(binary, ['-version'], { encoding: 'utf8' }).trim()
  return /v\d+\.\d+\.\d+/.exec(told)?.[0] ?? 'whose build names no version'
}
