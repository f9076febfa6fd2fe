/**
 * The transports of pino and winston against the real service: pino as programs use it, in a process of its own; winston's, which is
 * not installed here, as the stream that winston makes of it.
 */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'
import { clientForTests } from '../../../__tests__/support/client.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { type Row, readRows } from '../src/index.ts'
import { WinstonTransport } from '../src/winston.ts'

const service = serviceForTests()
const client = clientForTests(service)

const stored = async (dataset: string): Promise<Row[]> =>
  readRows(await client.query(`['${dataset}'] | sort by _time asc`, { startTime: 'now-1d', endTime: 'now+1d' }))

/** @returns what a program writes that logs 502 times with pino */
const logWithPino = (options: object) =>
  promisify(execFile)(process.execPath, [join(import.meta.dirname, 'log-with-pino.mjs'), JSON.stringify(options)])

test('what pino logs is stored when the process has ended, with its time and the word of its level', async () => {
  const dataset = `pino-${randomUUID()}`
  expect(await logWithPino({ dataset, token: service.token, url: service.url })).toEqual({ stdout: '', stderr: '' })
  const rows = await stored(dataset)
  expect(rows).toHaveLength(502)
  expect(rows.find(({ msg }) => msg === 'paid')).toMatchObject({
    level: 'info',
    order: 7,
    _time: expect.stringMatching(new RegExp(`^${new Date().getUTCFullYear()}-`)),
  })
  expect(rows.find(({ msg }) => msg === 'lost')).toMatchObject({ level: 'error', part: 'cart', 'err.message': 'boom' })
  expect(rows.filter(({ level }) => level === 'warn')).toHaveLength(500)
})

test('a pino transport that cannot deliver says so on the standard error, without the token', async () => {
  const { stderr } = await logWithPino({ dataset: 'web', token: 'wrong-token-of-a-test', url: service.url })
  expect(stderr).toMatch(
    /^502 events were not stored, 0 were stored before: POST .*\/v1\/datasets\/web\/ingest answered 40[13]: /,
  )
  expect(stderr).not.toContain('wrong-token')
})

const LEVEL = Symbol.for('level')
const entry = (level: string, message: string) => ({ level: `\u001b[31m${level}`, message, [LEVEL]: level })

/** What winston pipes entries from: a stream that also has the levels. */
const startLogger = () =>
  Object.assign(new Readable({ objectMode: true, read() {} }), { level: 'info', levels: { error: 0, info: 1, debug: 2 } })

test('what winston logs is stored, down to the level of the logger or of the transport', async () => {
  const dataset = `winston-${randomUUID()}`
  const options = { dataset, token: service.token, url: service.url }
  const logger = startLogger()
  const [all, errors] = [
    new WinstonTransport(options),
    new WinstonTransport({ ...options, level: 'error', labels: { only: 'errors' } }),
  ]
  for (const transport of [all, errors]) logger.pipe(transport)
  for (const level of ['error', 'info', 'debug']) logger.push(entry(level, 'paid'))
  logger.push(null)
  await Promise.all([all, errors].map((transport) => new Promise((resolve) => transport.once('finish', resolve))))
  const rows = await stored(dataset)
  expect(rows.map(({ message, only }) => [message, only])).toEqual(
    expect.arrayContaining([
      ['paid', 'errors'],
      ['paid', null],
      ['paid', null],
    ]),
  )
  expect(rows).toHaveLength(3)
})

test('a winston transport flushes on demand, and is silent if it is told so', async () => {
  const dataset = `winston-${randomUUID()}`
  const transport = new WinstonTransport({ dataset, token: service.token, url: service.url })
  expect(transport.log).toHaveLength(2)
  transport.write(entry('info', 'one'))
  await transport.flush()
  transport.silent = true
  transport.write(entry('info', 'two'))
  await transport.flush()
  expect((await stored(dataset)).map(({ message }) => message)).toEqual(['one'])
})
