/**
 * Addresses of a server that do not work, each in its own way: what is tried elsewhere, and what is said of it. The servers are small
 * ones of this process, because a real one does not misbehave on demand.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempDisposableSync, readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from '@jest/globals'
import { freePort } from '../../../../__tests__/support/free-port.ts'
import { listen } from '../../../../__tests__/support/listen.ts'
import type { StatementKind } from '../../../event-store/src/engine/engine-failures.ts'
import { ServerAddresses, type ServerTask } from '../../../event-store/src/server/server-addresses.ts'
import type { ServiceError } from '../../../runtime/src/errors.ts'

const closings: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of closings.splice(0)) await close()
})

async function start(server: Server): Promise<string> {
  const listening = await listen(server)
  closings.push(() => listening[Symbol.asyncDispose]())
  return listening.url
}

const startServer = (listener: RequestListener) => start(createServer(listener))

function openAddresses(urls: readonly string[], requestMsMax = 10_000): ServerAddresses {
  const options = { application: 'test', connections: 1, requestMsMax }
  const addresses = new ServerAddresses(
    urls.map((url) => new URL(url)),
    options,
  )
  closings.push(() => addresses.close())
  return addresses
}

/** @returns which address it was, or what is said of the failure */
function runIn(addresses: ServerAddresses, kind: StatementKind, mayRepeat = kind === 'read') {
  const task: ServerTask<number> = async (client, index, abort_signal) => {
    await client.command({ query: 'SELECT 1', abort_signal })
    return index
  }
  const failed = ({ code, mayHaveTakenEffect, message }: ServiceError) => ({ code, mayHaveTakenEffect, message })
  return addresses.run(kind, task, mayRepeat).catch(failed)
}

/** The same with addresses that have not been used yet. */
const runOn = (kind: StatementKind, urls: readonly string[], { mayRepeat = kind === 'read', requestMsMax = 10_000 } = {}) =>
  runIn(openAddresses(urls, requestMsMax), kind, mayRepeat)

const ok: RequestListener = (_, response) => void response.end()
const NO_DATABASE = 'Code: 81. DB::Exception: Database events does not exist. (UNKNOWN_DATABASE) (version 26.7)'
/** Ways in which a server may have got a statement and not told what became of it. */
const UNKNOWN: [string, RequestListener, string][] = [
  ['says nothing', () => undefined, 'no answer in time'],
  ['closes the connection', (request) => void request.socket.destroy(), 'socket hang up'],
  ['has lost its database', (_, response) => void response.writeHead(404).end(NO_DATABASE), 'it has no such database'],
  ['has a gateway before it', (_, response) => void response.writeHead(502).end('<html>'), 'the answer is not one of ClickHouse'],
]

test.each(UNKNOWN)('one that %s: a read is asked elsewhere, an insert is not', async (_, listener, reason) => {
  const url = await startServer(listener)
  let others = 0
  const other = await startServer((request, response) => {
    others++
    ok(request, response)
  })
  // Long for the other one, and short for one that says nothing.
  const requestMsMax = 2_000
  expect(await runOn('read', [url, other], { requestMsMax })).toBe(1)
  expect(await runOn('insert', [url, other], { mayRepeat: true, requestMsMax })).toBe(1)
  expect(others).toBe(2)
  expect(await runOn('insert', [url, other], { requestMsMax })).toEqual({
    code: 'unavailable',
    mayHaveTakenEffect: true,
    message: `the ClickHouse server at ${new URL(url).host} cannot be reached (${reason}); what was sent may have been stored; try again`,
  })
  expect(others).toBe(2)
})

test('one that hangs is not waited for: it is asked whether it lives, and a read goes elsewhere', async () => {
  const [hung, other] = [await startServer(() => undefined), await startServer(ok)]
  const startMs = performance.now()
  expect(await runOn('read', [hung, other], { requestMsMax: 60_000 })).toBe(1)
  expect(performance.now() - startMs).toBeLessThan(9_000)
  const slow = await startServer(({ url }, response) => void setTimeout(() => response.end(), url === '/ping' ? 0 : 7_000))
  expect(await runOn('insert', [slow, other])).toBe(0)
}, 30_000)

test('one that hangs when it has not been asked for a while is not given an insert, which goes elsewhere', async () => {
  let isHung = false
  const hanging = await startServer((_, response) => void (isHung || response.end()))
  const addresses = openAddresses([hanging, await startServer(ok)])
  expect(await runIn(addresses, 'insert')).toBe(0)
  isHung = true
  await sleep(2_600)
  expect(await runIn(addresses, 'insert')).toBe(1)
}, 30_000)

test('one that refuses the password, and one whose certificate is not valid, certainly stored nothing', async () => {
  const refusing = await startServer((_, response) => {
    response
      .writeHead(403)
      .end('Code: 516. DB::Exception: default: Authentication failed. (AUTHENTICATION_FAILED) (version 26.7)')
  })
  const secure = await startTlsServer()
  const other = await startServer(ok)
  for (const url of [refusing, secure, `http://127.0.0.1:${await freePort()}`, 'http://no-such-host.invalid:8123'])
    expect(await runOn('insert', [url, other])).toBe(1)
  const failed = await runOn('insert', [refusing, secure])
  expect(failed).toMatchObject({ code: 'unavailable', mayHaveTakenEffect: false })
  const { message } = failed as { message: string }
  expect(message).toContain(`${new URL(refusing).host}: it refuses the user or the password; `)
  expect(message).toMatch(/self-signed certificate.*; nothing was stored; try again$/)
})

async function startTlsServer(): Promise<string> {
  using home = mkdtempDisposableSync(join(tmpdir(), 'addresses-'))
  const [key, cert] = [join(home.path, 'key.pem'), join(home.path, 'cert.pem')]
  const subject = ['-subj', '/CN=127.0.0.1', '-days', '1', '-nodes', '-newkey', 'rsa:2048']
  execFileSync('openssl', ['req', '-x509', ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' })
  const server = createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, ok)
  return start(server)
}

test('an answer of a server is passed on as it is, and the address is not passed over for it', async () => {
  let asked = 0
  const url = await startServer((_, response) => {
    asked++
    response.writeHead(400).end('Code: 62. DB::Exception: Syntax error. (SYNTAX_ERROR) (version 26.7)')
  })
  const other = await startServer(ok)
  expect(await runOn('read', [url, other])).toMatchObject({ code: '62' })
  expect(asked).toBe(1)
})
