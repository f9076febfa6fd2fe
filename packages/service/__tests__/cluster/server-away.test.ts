/**
 * A service whose only ClickHouse server is killed and comes back, and one whose first address is dead.
 */
import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from '@jest/globals'
import { startClickHouse } from '../../../../__tests__/support/clickhouse-server.ts'
import { freePort } from '../../../../__tests__/support/free-port.ts'
import { startService } from '../../../../__tests__/support/service.ts'
import { send } from '../events/send.ts'
import { ask } from '../http.ts'
import { apl, countEvents } from '../query/ask.ts'
import { testOnServer } from './test-on-server.ts'

testOnServer('a server killed under writers is a 503 until it is back, and nothing acknowledged is lost', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'clickhouse-away-'))
  const options = { directory: folder.path, port: await freePort() }
  await using server = await startClickHouse(options)
  await using service = await startService({ args: ['--clickhouse', server.url] })
  await send(service, '{}')
  let [acknowledged, isOver] = [1, false]
  const refusals: Awaited<ReturnType<typeof send>>[] = []
  const write = async () => {
    while (!isOver) {
      const answer = await send(service, '{}')
      if (answer.status === 200) acknowledged++
      else refusals.push(answer)
      await sleep(5)
    }
  }
  const writers = [write(), write(), write()]
  await sleep(500)
  await server.kill()
  while (refusals.length < 10) await sleep(10)
  const others = [
    await apl(service, "['web'] | count"),
    await ask(service, 'POST', '/v2/datasets', { body: { name: 'other', description: '' } }),
    await ask(service, 'GET', '/healthz'),
  ]
  for (const { status, headers } of [...others, ...refusals]) expect([status, headers.get('retry-after')]).toEqual([503, '2'])
  const messages = refusals.map(({ body }) => body.message)
  expect(messages.at(-1)).toMatch(
    new RegExp(
      `^the ClickHouse server at ${new URL(server.url).host} cannot be reached \\(connect ECONNREFUSED .*\\); nothing was stored; try again$`,
    ),
  )
  await using _back = await startClickHouse(options)
  const before = acknowledged
  while (acknowledged < before + 10) await sleep(10)
  isOver = true
  await Promise.all(writers)
  // An insert whose answer was lost may be there; each of the three writers had one under way.
  const unknown = messages.filter((message) => message?.includes('may have been stored')).length
  const found = await countEvents(service, 'web')
  expect(found).toBeGreaterThanOrEqual(acknowledged)
  expect(found - acknowledged).toBeLessThanOrEqual(unknown)
  await service.stop()
})

testOnServer('an address that is dead is passed over', async () => {
  await using server = await startClickHouse()
  const dead = `http://someone:secret@127.0.0.1:${await freePort()}`
  await using service = await startService({ args: ['--clickhouse', `${dead},${server.url}`] })
  await send(service, '[{},{}]')
  expect(await countEvents(service, 'web')).toBe(2)
  expect((await ask(service, 'GET', '/healthz')).status).toBe(200)
  await using repeated = await startService({
    dataDir: service.dataDir,
    env: { ANNOTATION_SERVICE_CLICKHOUSE: dead },
    args: ['--clickhouse', dead, '--clickhouse', server.url],
  })
  expect(await countEvents(repeated, 'web')).toBe(2)
  expect(service.stderr + repeated.stderr).not.toContain('secret')
})
