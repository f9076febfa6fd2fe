/**
 * A ClickHouse server for a test: the one inside the embedded engine's library, started as a process of its own by a few lines
 * of Python, because no other is at hand on a bare machine.
 *
 *   await using server = await startClickHouse()
 *
 * Deliberately not here: clusters, which are made of two such servers in packages/service/__tests__/cluster/two-shards.ts.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.ts'

const PYTHON = '/usr/bin/python3'
/** The build of @chdb/lib-linux-x64-gnu whose code is known by its addresses. Its engine calls itself 26.7.2.1. */
export const KNOWN_BUILD = '26.7.3-stable.1'
/** In that build, what ends the process at an error of a connection, of a peer that lacks a table for example. Real servers log it. */
const KILLING_HANDLER = 0xf113480
/** It ends with the process that started it, by PR_SET_PDEATHSIG. In the known build, errors of connections are passed over. */
const LAUNCHER = `
import ctypes, sys
process = ctypes.CDLL(None)
process.prctl(1, 9)
library = ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_GLOBAL)
if int(sys.argv[2]) > 0:
    start = next(line for line in open('/proc/self/maps') if line.endswith('libchdb.so\\n')).split('-')[0]
    handler = int(start, 16) + int(sys.argv[2])
    process.mprotect(ctypes.c_void_p(handler & ~4095), 4096, 7)
    ctypes.memmove(handler, b'\\xc3', 1)
arguments = [a.encode() for a in ['clickhouse'] + sys.argv[3:]]
library.chdb_query_cmdline(len(arguments), (ctypes.c_char_p * (len(arguments) + 1))(*arguments, None))
`
// Keeps the process busy without work; the listener lives as long as the query, which is longer than any run of tests.
const SERVE = `SYSTEM START LISTEN HTTP; SYSTEM START LISTEN TCP; SELECT sleepEachRow(3) FROM numbers(20000)
SETTINGS max_block_size = 1, function_sleep_max_microseconds_per_block = 0 FORMAT Null`

const START_MS_MAX = 20_000

/** The engine's library, if it is installed for this machine. */
export const library = findLibrary()
export const build = library && JSON.parse(readFileSync(join(dirname(library), 'package.json'), 'utf8')).version
/** Whether this machine has what the server needs. */
export const hasClickHouse = library !== undefined && existsSync(PYTHON)

interface ClickHouseOptions {
  /** Kept after the test when given, so that another server can go on with it. */
  directory?: string
  /** By default any free one. */
  port?: number
  /** Where other servers of its cluster speak to it; by default any free one. */
  tcpPort?: number
  /** A configuration file. */
  config?: string
}

export interface ClickHouse extends AsyncDisposable {
  url: string
  /** SIGKILL: what a crash or the kernel does. The directory stays. */
  kill(): Promise<void>
}

export async function startClickHouse(options: ClickHouseOptions = {}): Promise<ClickHouse> {
  const directory = options.directory ?? mkdtempSync(join(tmpdir(), 'query-clickhouse-'))
  const { port = await freePort(), tcpPort = await freePort(), config } = options
  const url = `http://127.0.0.1:${port}`
  const flags = [
    ...(config === undefined ? [] : [`--config-file=${config}`]),
    `--path=${directory}`,
    '--listen_host=127.0.0.1',
    `--http_port=${port}`,
    `--tcp_port=${tcpPort}`,
    '--query',
    SERVE,
  ]
  const handler = process.arch === 'x64' && build === KNOWN_BUILD ? KILLING_HANDLER : 0
  const server = spawn(PYTHON, ['-c', LAUNCHER, library as string, `${handler}`, ...flags], { stdio: 'ignore' })
  const kill = async () => {
    server.kill('SIGKILL')
    if (server.exitCode === null && server.signalCode === null) await once(server, 'close')
  }
  for (let waitedMs = 0; !(await answers(url)); waitedMs += 100) {
    if (waitedMs > START_MS_MAX) {
      await kill()
      throw new Error('the ClickHouse server did not start')
    }
    await sleep(100)
  }
  return {
    url,
    kill,
    async [Symbol.asyncDispose]() {
      await kill()
      if (options.directory === undefined) rmSync(directory, { recursive: true, force: true })
    },
  }
}

function findLibrary(): string | undefined {
  const require = createRequire(createRequire(import.meta.url).resolve('chdb'))
  try {
    return join(dirname(require.resolve(`@chdb/lib-linux-${process.arch}-gnu/package.json`)), 'libchdb.so')
  } catch {
    return undefined
  }
}

async function answers(address: string): Promise<boolean> {
  return fetch(`${address}/ping`).then(
    ({ ok }) => ok,
    () => false,
  )
}
