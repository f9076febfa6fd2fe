import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { runs } from '../../../../__tests__/support/long.ts'
import { startService } from '../../../../__tests__/support/service.ts'
import { ask } from '../http.ts'
import { Ledger } from '../ledger.ts'
import { readStoredEvents } from './stored-events.ts'

const ROUNDS = runs(3, 6)

test('kill -9 under load: nothing acknowledged is lost, no request is torn, a repeated key stores once', async () => {
  using data = mkdtempDisposableSync(join(tmpdir(), 'ingest-kill-'))
  const ledger = new Ledger({ writers: 8 })
  for (let round = 0; round < ROUNDS; round++) {
    const service = await startService({ dataDir: data.path })
    // What a kill leaves half written is not called damage.
    expect((await ask(service, 'GET', '/healthz')).body).toMatchObject({ status: 'ok' })
    await ledger.write(
      () => service,
      async () => {
        // As much on a quick machine as on a slow one, and the kill at another moment each time.
        await ledger.more(24)
        await sleep((round * 17) % 60)
        await service.kill()
      },
    )
  }
  const last = await startService({ dataDir: data.path })
  await ledger.check(last)
  await last.stop()
  const events = Object.values(readStoredEvents(data.path)).flat()
  expect(new Set(events.map(({ row }) => row)).size).toBe(events.length)
}, 300_000)
