/**
 * A service whose only ClickHouse server is killed and comes back, and one whose first address is dead.
 */
import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@jest/globals'
import { startClickHouse } from '../../../../__tests__/support/clickhouse-server.ts'
import { testOnClickHouse } from '../../../../__tests__/support/databases.ts'
import { freePort } from '../../../../__tests__/support/free-port.ts'
import { startService } from '../../../../__tests__/support/service.ts'
import { send } from '../events/send.ts'
import { ask } from '../http.ts'
import { Ledger } from '../ledger.ts'
import { apl, countEvents } from '../query/ask.ts'

testOnClickHouse('a server killed under writers is a 503 until it is back, and nothing acknowledged is lost', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'clickhouse-away-'))
  const options = { directory: folder.path, port: await freePort() }
  await using server = await startClickHouse(options)
  await using service = await startService({ args: ['--clickhouse', server.url] })
  await send(service, '{}')
  const ledger = new Ledger()
  await using restarted = new AsyncDisposableStack()
  await ledger.write(
    () => service,
    async () => {
      await ledger.more(20)
      await server.kill()
      const refusals = [
        await send(service, '{}'),
        await apl(service, "['web'] | count"),
        await ask(service, 'POST', '/v2/datasets', { body: { name: 'other', description: '' } }),
        await ask(service, 'GET', '/healthz'),
      ]
      for (const { status, headers } of refusals) expect([status, headers.get('retry-after')]).toEqual([503, '2'])
      expect((await send(service, '{}')).body.message).toMatch(
        new RegExp(
          `^the ClickHouse server at ${new URL(server.url).host} cannot be reached \\(connect ECONNREFUSED .*\\); nothing was stored; try again$`,
        ),
      )
      restarted.use(await startClickHouse(options))
      await ledger.more(20)
    },
  )
  await ledger.check(service)
})

testOnClickHouse('an address that is dead is passed over', async () => {
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
