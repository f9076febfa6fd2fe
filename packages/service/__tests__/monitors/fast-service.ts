/**
 * The service with a clock that runs fast, so that a test can kill it within a minute of its monitors many times over. Started
 * like `packages/service/bin/annotation-service.cjs`, with the same flags as far as a test gives them, and `FAST_CLOCK=<milliseconds>,<speed>`: since when
 * it runs fast, and how fast. Deliberately not a flag of the service.
 */
import { mkdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openStore } from '../../../event-store/src/open-store.ts'
import { openRecords } from '../../../records/src/open-records.ts'
import { createLog } from '../../../runtime/src/log.ts'
import { buildTestServer } from '../in-process.ts'
import { createFastTimer } from './fast-timer.ts'

const { values } = parseArgs({ options: { host: { type: 'string' }, port: { type: 'string' }, data: { type: 'string' } } })
const [sinceMs = 0, speed = 1] = (process.env.FAST_CLOCK ?? '').split(',').map(Number)
const clock = createFastTimer(sinceMs, speed)

const dataDir = values.data as string
mkdirSync(dataDir, { recursive: true })
const records = await openRecords(dataDir)
const events = await openStore({ directory: join(dataDir, 'engine') }, records, { fieldsMax: 100, clock: clock.now })
const app = await buildTestServer({
  records,
  events,
  token: process.env.ANNOTATION_SERVICE_TOKEN as string,
  dataDir,
  log: createLog((line) => process.stderr.write(line)),
  clock,
})
await app.listen({ host: '127.0.0.1', port: 0 })
console.log(`annotation service fast ready at http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
process.once('SIGTERM', async () => {
  await app.close()
  await events.close()
  await records.close()
  process.exit()
})
