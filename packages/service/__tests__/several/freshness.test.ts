/**
 * Services that do not read the records before each request: what others changed is seen at most as late as they say, and what they
 * changed themselves at once.
 */
import { expect } from '@jest/globals'
import { startDatabases, testOnServers } from '../../../../__tests__/support/databases.ts'
import { type RunningService, startService } from '../../../../__tests__/support/service.ts'
import { ask, makeToken } from '../http.ts'

const FRESHNESS_MS = 3_000

testOnServers(
  'with --cache-ms few requests read the versions, and a revoked token is refused when that time is over',
  async () => {
    await using databases = await startDatabases({ log_statement: 'all' })
    const args = [...databases.args, '--cache-ms', `${FRESHNESS_MS}`]
    await using A = await startService({ args })
    await using B = await startService({ args })
    const statusAt = async (service: RunningService, token: string) =>
      (await ask(service, 'GET', '/v2/annotations?pageSize=1', { token })).status

    // A new token is known everywhere at once, and a service knows its own changes.
    const made = await makeToken(A, ['annotations|read'])
    expect([await statusAt(B, made.token), await statusAt(A, made.token)]).toEqual([200, 200])
    const revokedAt = performance.now()
    expect((await ask(A, 'DELETE', `/v2/tokens/${made.id}`)).status).toBe(204)
    expect(await statusAt(A, made.token)).toBe(401)
    while ((await statusAt(B, made.token)) === 200) expect(performance.now() - revokedAt).toBeLessThan(FRESHNESS_MS + 2_000)

    const reads = () => databases.postgres.log.match(/from "versions"/g)?.length ?? 0
    const [before, from] = [reads(), performance.now()]
    for (let i = 0; i < 60; i++) expect((await ask(B, 'GET', '/v2/annotations?pageSize=1')).status).toBe(200)
    const spans = (performance.now() - from) / FRESHNESS_MS
    expect(reads() - before).toBeLessThan(10 + 4 * spans)
  },
)
