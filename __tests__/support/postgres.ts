/**
 * A PostgreSQL server for a test: a new cluster in a temporary directory, on a free port of 127.0.0.1, with a random password.
 * It is as durable as one in production, so that what a crash leaves can be tested.
 * Deliberately not here: tuning, and a cluster that several test files share.
 *
 *   await using server = await startPostgres()
 *   const url = await server.createDatabase()
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { generate } from 'selfsigned'
import { freePort } from './free-port.ts'

const USER = 'records'
const START_MS_MAX = 20_000
const READY = 'ready to accept connections'
// The cost of a commit is measured, so nothing that makes it durable is off.
const SETTINGS = { shared_buffers: '16MB', max_connections: '100', fsync: 'on', full_page_writes: 'on', timezone: 'UTC' }

const programs = findPrograms()
/** Whether this machine has what the server needs. */
export const hasPostgres = programs !== undefined

interface PostgresOptions {
  /** Connections are encrypted, with a certificate that the URLs name, and others are refused. */
  tls?: boolean
  /** In addition to those that every server here has, or in their place. */
  settings?: Readonly<Record<string, string>>
}

export async function startPostgres({ tls = false, settings = {} }: PostgresOptions = {}): Promise<PostgresServer> {
  const directory = mkdtempSync(join(tmpdir(), 'records-postgres-'))
  const password = randomBytes(16).toString('hex')
  const port = await freePort()
  const server = new PostgresServer(directory, { port, password, tls, settings })
  try {
    own(directory)
    createCluster(directory, password)
    if (tls) await createCertificate(directory)
    await server.start()
    return server
  } catch (error) {
    await server[Symbol.asyncDispose]()
    throw error
  }
}

class PostgresServer {
  /** Of the database `postgres`, with user and password; with TLS also `sslmode` and `sslrootcert`. */
  readonly url: string
  readonly password: string
  readonly port: number
  /** What the server wrote to its log so far. */
  log = ''
  readonly #directory: string
  readonly #tls: boolean
  readonly #settings: Readonly<Record<string, string>>
  #process: ChildProcess | undefined
  #closed: Promise<unknown> | undefined
  #databases = 0

  constructor(
    directory: string,
    { port, password, tls, settings }: Required<PostgresOptions> & { port: number; password: string },
  ) {
    const query = tls ? `?sslmode=verify-full&sslrootcert=${certificateIn(directory)}` : ''
    this.url = `postgres://${USER}:${password}@127.0.0.1:${port}/postgres${query}`
    this.password = password
    this.port = port
    this.#directory = directory
    this.#tls = tls
    this.#settings = { ...SETTINGS, ...settings }
  }

  /** @returns the URL of a new, empty database */
  async createDatabase(): Promise<string> {
    const name = `test_${++this.#databases}`
    const client = new pg.Client({ connectionString: this.url })
    await client.connect()
    await client.query(`CREATE DATABASE ${name}`)
    await client.end()
    return this.url.replace('/postgres', `/${name}`)
  }

  /** After `stop` or `kill`: the same data on the same port. */
  async start(): Promise<void> {
    const from = this.log.length
    const settings = { ...this.#settings, ...(this.#tls ? tlsSettings(this.#directory) : {}) }
    const flags = ['-D', join(this.#directory, 'data'), '-h', '127.0.0.1', '-p', String(this.port), '-k', this.#directory]
    flags.push(...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]))
    const child = spawn(program('postgres'), flags, { ...asOwner(this.#directory), stdio: ['ignore', 'ignore', 'pipe'] })
    this.#process = child
    // Each of its processes holds the pipe of the log, so this is the end of the last one.
    this.#closed = once(child, 'close')
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.log += text
    })
    for (let waitedMs = 0; !this.log.includes(READY, from); waitedMs += 10) {
      if (child.exitCode !== null || waitedMs > START_MS_MAX)
        throw new Error(`PostgreSQL did not start:\n${this.log.slice(from)}`)
      await sleep(10)
    }
  }

  /** Ends it without waiting for its clients; what is committed is kept. */
  async stop(): Promise<void> {
    this.#process?.kill('SIGINT')
    await this.#closed
  }

  /** Keeps all data as it is, as a standby has it that gets no more. Call it while the server is stopped. */
  saveState(): void {
    execFileSync('cp', ['-a', join(this.#directory, 'data'), join(this.#directory, 'saved')])
  }

  /** Puts the data back that {@link saveState} kept. Call it while the server is stopped. */
  restoreState(): void {
    rmSync(join(this.#directory, 'data'), { recursive: true })
    execFileSync('cp', ['-a', join(this.#directory, 'saved'), join(this.#directory, 'data')])
  }

  /** @returns a backup of a database, as the server's own tool makes it */
  dump(url: string): string {
    return execFileSync(program('pg_dump'), ['--clean', '--if-exists', url], { encoding: 'utf8', maxBuffer: 1e9 })
  }

  /** Reads such a backup into the database while others use it. */
  readIn(url: string, dump: string): void {
    execFileSync(program('psql'), ['-q', '-v', 'ON_ERROR_STOP=1', url], { input: dump, stdio: ['pipe', 'ignore', 'inherit'] })
  }

  /** SIGKILL to all of its processes at once: what is left is what a crash leaves. */
  async kill(): Promise<void> {
    this.#signal('SIGKILL')
    await this.#closed
  }

  /** Halts all of its processes: connections stay open, new ones wait in the kernel, and nothing is answered. */
  pause(): void {
    this.#signal('SIGSTOP')
  }

  resume(): void {
    this.#signal('SIGCONT')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill()
    rmSync(this.#directory, { recursive: true, force: true })
  }

  /** Its first process comes first, which would otherwise replace the others. */
  #signal(signal: NodeJS.Signals): void {
    const { pid, exitCode = 0, signalCode } = this.#process ?? {}
    if (pid === undefined || exitCode !== null || signalCode !== null) return
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
    for (const one of [pid, ...children]) {
      try {
        process.kill(one, signal)
      } catch {
        // It ended meanwhile.
      }
    }
  }
}

function createCluster(directory: string, password: string): void {
  const passwordFile = join(directory, 'password')
  writeFileSync(passwordFile, password)
  own(passwordFile)
  const flags = ['--no-sync', '--no-instructions', '--no-locale', '--encoding=UTF8', '--auth=scram-sha-256']
  flags.push(`--username=${USER}`, `--pwfile=${passwordFile}`, '-D', join(directory, 'data'))
  execFileSync(program('initdb'), flags, { ...asOwner(directory), stdio: ['ignore', 'ignore', 'pipe'] })
}

const certificateIn = (directory: string) => join(directory, 'server.crt')
const keyIn = (directory: string) => join(directory, 'server.key')
const hostsIn = (directory: string) => join(directory, 'encrypted-only.conf')
const tlsSettings = (directory: string) => ({
  ssl: 'on',
  ssl_cert_file: certificateIn(directory),
  ssl_key_file: keyIn(directory),
  hba_file: hostsIn(directory),
})

async function createCertificate(directory: string): Promise<void> {
  const extensions = [
    { name: 'basicConstraints' as const, cA: true },
    { name: 'subjectAltName' as const, altNames: [{ type: 7 as const, ip: '127.0.0.1' }] },
  ]
  const made = await generate([{ name: 'commonName', value: '127.0.0.1' }], { keySize: 2048, extensions })
  writeFileSync(certificateIn(directory), made.cert)
  writeFileSync(keyIn(directory), made.private, { mode: 0o600 })
  writeFileSync(hostsIn(directory), 'hostssl all all 127.0.0.1/32 scram-sha-256\n')
  for (const path of Object.values(tlsSettings(directory)).slice(1)) own(path)
}

/** The newest that Debian installed, or those on the path. */
function findPrograms(): string | undefined {
  const versions = globSync('/usr/lib/postgresql/*/bin').sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  const folders = [...versions.reverse(), ...(process.env.PATH ?? '').split(delimiter)]
  return folders.find((folder) => ['initdb', 'postgres'].every((name) => existsSync(join(folder, name))))
}

function program(name: string): string {
  if (programs === undefined) throw new Error('this machine has no PostgreSQL: ask hasPostgres before startPostgres')
  return join(programs, name)
}

/** PostgreSQL refuses to run as root; Debian's package makes a user for it. */
function owner(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const idOf = (kind: string) => Number(execFileSync('id', [kind, 'postgres'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

function own(path: string): void {
  const { uid, gid } = owner()
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid)
}

const asOwner = (directory: string) => ({ ...owner(), cwd: directory, env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' } })
