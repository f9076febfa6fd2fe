/**
 * What every request must be, whoever sends it, told in the form of every other error.
 */
import { expect, test } from '@jest/globals'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { runServiceCommand, startService } from '../../../__tests__/support/service.ts'
import { isLocal } from '../src/http/request-rules.ts'
import { readCases } from './cases.ts'
import { askRaw, exchange } from './raw.ts'

const service = serviceForTests()

const LIST = 'GET /v2/annotations HTTP/1.1'
const token = () => `Authorization: Bearer ${service.token}`

const CASES = readCases<{
  refused: [what: string, start: string, headers: string[], status: number, message: string][]
  hosts: [host: string, status: number][]
}>(import.meta.url)

test.each(CASES.refused)('%s: the error form', async (_, start, headers, status, message) => {
  const answer = await askRaw(service, start, [...headers, token()])
  expect(answer).toMatchObject({ status, body: { code: status, message: expect.stringContaining(message) } })
  expect(answer.head).toMatch(/\r\nx-axiom-trace-id: [0-9a-f]{32}(?:\r\n|$)/)
  expect(answer.head).toContain('content-type: application/json')
})

test('two slashes at the start of a path are one, and an empty name within it stays what it is', async () => {
  const of = async (path: string) => (await askRaw(service, `GET ${path} HTTP/1.1`, ['Host: localhost', token()])).status
  expect([await of('//v2/annotations'), await of('/v2/annotations?x=//')]).toEqual([200, 200])
  expect([await of('/v2//annotations'), await of('/v1/datasets//fields')]).toEqual([404, 400])
})

test('HTTP/1.0 knows no Host', async () => {
  expect(await askRaw(service, 'GET /v2/annotations HTTP/1.0', [token()])).toMatchObject({ status: 200 })
})

test('the expectation that there is holds', async () => {
  const text = await exchange(service, `${LIST}\r\nHost: localhost\r\nExpect: 100-Continue\r\n${token()}\r\n\r\n`, '[]')
  expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /)
})

test.each(CASES.hosts)('a service on loopback that is asked for as %j: %i', async (host, status) => {
  // Without their bodies, because the page is no JSON.
  for (const path of ['/v2/annotations', '/healthz', '/']) {
    const answer = await askRaw(service, `HEAD ${path} HTTP/1.1`, [`Host: ${host}`, token()])
    expect([path, answer.status]).toEqual([path, status])
  }
})

test('the refusal of a Host names it, and comes before the token is looked at', async () => {
  const { status, body } = await askRaw(service, LIST, ['Host: evil.example'])
  expect({ status, body }).toEqual({ status: 421, body: { code: 421, message: expect.stringContaining('"evil.example"') } })
})

test('names that are allowed are answered, and others are not', async () => {
  await using named = await startService({ args: ['--allowed-hosts', 'marks.example, Other.example'] })
  const statusOf = async (host: string) =>
    (await askRaw(named, LIST, [`Host: ${host}`, `Authorization: Bearer ${named.token}`])).status
  expect(await Promise.all(['marks.example', 'OTHER.example:443', 'localhost', 'evil.example'].map(statusOf))).toEqual([
    200, 200, 200, 421,
  ])
})

test('a name that cannot be one is refused at the start', async () => {
  const { exitCode, stderr } = await runServiceCommand(['--allowed-hosts', 'https://marks.example'])
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining('"https://marks.example"') })
})

test('loopback is what only this machine can reach', () => {
  expect(['127.0.0.1', '127.9.9.9', '::1', 'localhost'].filter((host) => !isLocal(host))).toEqual([])
  expect(['0.0.0.0', '::', '10.0.0.1', 'example.com', '127.example.com'].filter(isLocal)).toEqual([])
})
