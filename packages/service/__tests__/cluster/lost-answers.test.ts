/**
 * What the engine on a server says of an insert that failed: whether the rows are certainly not there, or may be; and what a token is for.
 */
import { createServer, request as openRequest } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { startClickHouse } from '../../../../__tests__/support/clickhouse-server.ts'
import { testOnClickHouse } from '../../../../__tests__/support/databases.ts'
import { freePort } from '../../../../__tests__/support/free-port.ts'
import { listen } from '../../../../__tests__/support/listen.ts'
import { asBlocks } from '../../../event-store/__tests__/test-store.ts'
import type { Engine } from '../../../event-store/src/engine/engine.ts'
import { ServerStore } from '../../../event-store/src/stores/server-store.ts'
import { ServiceError } from '../../../runtime/src/errors.ts'

const TABLE = 'events_0123abcd'
const row = (id: number) => asBlocks(Buffer.from(`[{"n":${id}},"2026-01-01 00:00:00","2026-01-01 00:00:00",${id}]\n`))

/** Passes everything on; the answers to inserts are lost where `losesAnswers` says so. */
async function startLossy(target: string) {
  const state = { losesAnswers: true, inserts: 0 }
  const proxy = createServer(async (request, response) => {
    const { method, url = '', headers } = request
    const body = Buffer.concat(await request.toArray())
    const isInsert = url.includes('INSERT')
    if (isInsert) state.inserts++
    openRequest(target, { method, path: url, headers }, async (from) => {
      const answer = Buffer.concat(await from.toArray())
      if (isInsert && state.losesAnswers) return response.destroy()
      response.writeHead(from.statusCode ?? 500, from.headers).end(answer)
    }).end(body)
  })
  return { state, ...(await listen(proxy)) }
}

const count = async (engine: Engine) => (await engine.select(`SELECT _row FROM ${TABLE}`)).length

const failureOf = (insert: Promise<void>) =>
  insert.then(
    () => undefined,
    (error: unknown) => (error instanceof ServiceError ? [error.code, error.mayHaveTakenEffect] : error),
  )

testOnClickHouse('a lost answer is told from a refusal, and only rows with a token are sent again', async () => {
  await using server = await startClickHouse()
  await using lossy = await startLossy(server.url)
  const tables = await new ServerStore([new URL(lossy.url), new URL(server.url)]).open()
  const { engine } = tables
  await tables.create(TABLE)

  expect(await failureOf(tables.insert(TABLE, row(1)))).toEqual(['unavailable', true])
  expect([lossy.state.inserts, await count(engine)]).toEqual([1, 1])
  // The lossy address is passed over for some seconds now, and without a token equal rows are rows of their own.
  await tables.insert(TABLE, row(1))
  expect(await count(engine)).toBe(2)
  await engine.close()

  // One that is not passed over yet: the answer is lost there, and the second address knows the token.
  const again = await new ServerStore([new URL(lossy.url), new URL(server.url)]).open()
  await again.insert(TABLE, row(2), { token: 'two' })
  await again.insert(TABLE, row(2), { token: 'two' })
  expect([lossy.state.inserts, await count(again.engine)]).toEqual([2, 3])
  await again.close()

  lossy.state.losesAnswers = false
  const alone = await new ServerStore([new URL(lossy.url)]).open()
  await lossy[Symbol.asyncDispose]()
  // Until the end of the connection has arrived, an insert could be sent into it.
  await sleep(100)
  expect(await failureOf(alone.insert(TABLE, row(3)))).toEqual(['unavailable', false])
  await alone.close()
})

test('a server that is not there is named, without what is secret in its address', async () => {
  const port = await freePort()
  const store = await new ServerStore([new URL(`http://someone:secret@127.0.0.1:${port}/database`)]).open()
  await expect(store.check()).rejects.toThrow(
    `the ClickHouse server at 127.0.0.1:${port} cannot be reached (connect ECONNREFUSED 127.0.0.1:${port}); try again`,
  )
  await store.close()
})
