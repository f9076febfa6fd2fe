/**
 * Requests that were read in another way than their sender, or a proxy before the service, could have meant.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { startService, TEST_TOKEN } from '../../../__tests__/support/service.ts'
import { ask, create } from './http.ts'
import { askRaw, exchange } from './raw.ts'

const service = serviceForTests()

const bearer = `Authorization: Bearer ${TEST_TOKEN}`

test.each(['gzip, chunked', 'identity', 'chunked, chunked'])('Transfer-Encoding: %s is refused', async (coding) => {
  const head = ['POST /v1/datasets/web/ingest HTTP/1.1', 'Host: localhost', bearer, 'Content-Type: application/json']
  const text = await exchange(
    service,
    `${[...head, `Transfer-Encoding: ${coding}`, 'Connection: close'].join('\r\n')}\r\n\r\n4\r\n[{}]\r\n0\r\n\r\n`,
  )
  expect(text).toMatch(/^HTTP\/1\.1 400 /)
})

test.each(['Idempotency-Key', 'Annotation-Key', 'Annotation-Job'])('two %s headers are refused', async (name) => {
  const { status, body } = await askRaw(service, 'GET /v2/annotations HTTP/1.1', [
    'Host: localhost',
    bearer,
    `${name}: a`,
    `${name}: b`,
  ])
  expect([status, body.message]).toEqual([400, `the request has 2 ${name.toLowerCase()} headers; send one`])
})

test('the host of a target counts, and not that of the header', async () => {
  const asked = (target: string) => askRaw(service, `GET ${target} HTTP/1.1`, ['Host: localhost', bearer])
  expect((await asked('http://evil.example/v2/user')).status).toBe(421)
  expect((await asked('http://localhost/v2/user')).status).toBe(200)
})

test('an annotation with more datasets than an answer can name is refused with the number', async () => {
  const names = (count: number) => Array.from({ length: count }, (_, n) => `a-dataset-of-many-${n}`)
  expect((await create(service, { datasets: names(100) })).status).toBe(201)
  const { status, body } = await create(service, { datasets: names(101) })
  expect([status, body.code, body.message]).toEqual([422, 611, expect.stringContaining('100')])
})

test('secrets of the command line are not shown to others, and may be in files', async () => {
  await using given = await startService({ token: null, args: ['--token', 'a-secret-0123456789-token'] })
  expect((await ask(given, 'GET', '/v2/user', { token: 'a-secret-0123456789-token' })).status).toBe(200)
  const shown = readFileSync(`/proc/${given.pid}/cmdline`, 'utf8')
  expect(shown).not.toContain('a-secret')
  expect(shown).toContain('annotation-service')
  const file = join(given.dataDir, 'token')
  writeFileSync(file, 'another-secret-9876543210\n')
  await using mounted = await startService({ token: null, env: { ANNOTATION_SERVICE_TOKEN_FILE: file } })
  expect((await ask(mounted, 'GET', '/v2/user', { token: 'another-secret-9876543210' })).status).toBe(200)
})

test('the log says where a caller is, by the word of a trusted proxy alone, and what a request made', async () => {
  const from = { 'x-forwarded-for': '203.0.113.7' }
  await using behind = await startService({ args: ['--trusted-proxies', '127.0.0.0/8'] })
  for (const [asked, address] of [
    [service, '127.0.0.1'],
    [behind, '203.0.113.7'],
  ] as const) {
    const before = asked.requests.length
    const { body } = await create(asked, {}, { headers: from })
    expect((await asked.waitForRequests(before + 1)).at(-1)).toMatchObject({ status: 201, address, createdId: body.id })
  }
})
