/**
 * The room on the disk that is left free by what adds events: a request whose rows go to the engine in columns, past the log, keeps it too.
 */
import { expect } from '@jest/globals'
import { startService } from '../../../../__tests__/support/service.ts'
import { ask } from '../http.ts'
import { mountSmallDisk, testOnSmallDisk } from './small-disk.ts'

const MIB = 1_048_576
/** Less than is left free, and far more than the request takes. */
const LEFT_BYTES = 40 * MIB
/** Too large for the log, and not large enough for a staging table. */
const COLUMNS = Array.from({ length: 5_000 }, (_, i) => ({ i, pad: 'x'.repeat(400) }))

testOnSmallDisk('rows in columns are refused while the disk has less room than is left free', async () => {
  using small = mountSmallDisk(200)
  await using service = await startService({ dataDir: small.path })
  const ingest = (body: object) => ask(service, 'POST', '/v1/datasets/web/ingest', { body })
  expect((await ingest([{ a: 1 }])).status).toBe(200)
  small.fill(LEFT_BYTES)
  expect(await ingest(COLUMNS)).toMatchObject({
    status: 507,
    body: {
      code: 507,
      message: expect.stringMatching(/^the disk is full \(\d+ MiB are free, and 64 MiB are needed\); nothing was stored$/),
    },
  })
  small.free()
  expect(await ingest(COLUMNS)).toMatchObject({ status: 200, body: { ingested: COLUMNS.length } })
})
