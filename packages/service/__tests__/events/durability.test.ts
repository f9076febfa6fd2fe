import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { runs, tried } from '../../../../__tests__/support/long.ts'
import { startService } from '../../../../__tests__/support/service.ts'
import { ask } from '../http.ts'
import { Ledger } from '../ledger.ts'
import { readStoredEvents } from './stored-events.ts'

/** Each data directory is killed so often; all that it has is read as one text in the end. */
const KILLS = 4
const DIRECTORIES = Array.from({ length: runs(1, 50) }, (_, index) => index)

test.each(DIRECTORIES)(
  'kill -9 under load, in directory %i: nothing acknowledged is lost, no request is torn, a repeated key stores once',
  async (directory) => {
    using data = mkdtempDisposableSync(join(tmpdir(), 'ingest-kill-'))
    const ledger = new Ledger({ writers: 8 })
    for (let round = 0; round < KILLS; round++) {
      const service = await startService({ dataDir: data.path })
      // What a kill leaves half written is not called damage.
      expect((await ask(service, 'GET', '/healthz')).body).toMatchObject({ status: 'ok' })
      await ledger.write(
        () => service,
        async () => {
          // As much on a quick machine as on a slow one, and the kill at another moment each time.
          await ledger.more(24)
          await sleep(((directory + round) * 17) % 60)
          await service.kill()
        },
      )
    }
    const last = await startService({ dataDir: data.path })
    await ledger.check(last)
    await last.stop()
    const events = Object.values(readStoredEvents(data.path)).flat()
    expect(new Set(events.map(({ row }) => row)).size).toBe(events.length)
    tried(KILLS)
  },
  KILLS * 100_000,
)
