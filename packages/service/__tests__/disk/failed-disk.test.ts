/**
 * A disk that fails while the service runs: an ext4 of its own, which is told to give up as it does by itself after an error. From then
 * on nothing can be written, and what is there can be read.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempDisposableSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from '@jest/globals'
import { startService } from '../../../../__tests__/support/service.ts'
import { until } from '../../../../__tests__/support/until.ts'
import { ask, created, list } from '../http.ts'
import { apl, ingest } from '../query/ask.ts'
import { testIf } from '../test-if.ts'
import { asRoot, rootCommand } from './small-disk.ts'

const DISK_BYTES = 400 * 1_048_576

interface Disk extends Disposable {
  path: string
  fail(): Promise<unknown>
}

function mountDisk(): Disk {
  using stack = new DisposableStack()
  const folder = stack.use(mkdtempDisposableSync(join(tmpdir(), 'failed-disk-')))
  const [image, path] = [join(folder.path, 'image'), join(folder.path, 'mounted')]
  writeFileSync(image, '')
  truncateSync(image, DISK_BYTES)
  mkdirSync(path)
  asRoot('mkfs.ext4', '-q', '-E', `root_owner=${process.getuid?.()}:${process.getgid?.()}`, image)
  asRoot('mount', '-o', 'loop', image, path)
  stack.defer(() => asRoot('umount', '-l', path))
  const mounted = stack.move()
  return {
    path,
    fail: () => promisify(execFile)(...rootCommand('mount', '-o', 'remount,abort', path)),
    [Symbol.dispose]: () => mounted.dispose(),
  }
}

const testOnDisk = testIf(mountDisk, 'no ext4 can be mounted here')

const FAILED = expect.stringMatching(/the disk (?:of the service has failed, or was made read-only|is full or has failed)/)

testOnDisk('where the disk fails before events are in their table, queries are answered without them, and say so', async () => {
  using disk = mountDisk()
  await using service = await startService({ dataDir: join(disk.path, 'data') })
  await ingest(service, 'web', [{ n: 1 }])
  const query = () => apl(service, "['web'] | count")
  expect((await query()).status).toBe(200)
  await ingest(service, 'web', [{ n: 2 }])
  const failing = disk.fail()
  // However long that takes, what was acknowledged last is in the log then, and not in the table yet.
  let stored = 2
  while ((await ask(service, 'POST', '/v1/datasets/web/ingest', { body: [{ n: 2 }] })).status === 200) stored++
  await failing
  const { status, body } = await query()
  expect([status, body]).toEqual([200, expect.anything()])
  expect(body.tables?.[0]?.columns?.[0]?.[0]).toBeLessThan(stored)
  expect(body.status).toMatchObject({
    isPartial: true,
    messages: [
      { code: 'missing_events', msg: expect.stringMatching(/^the disk of the service has failed, or was made read-only/) },
    ],
  })
  const trim = await ask(service, 'POST', '/v2/datasets/web/trim', { body: { maxDuration: '1s' } })
  expect(trim).toMatchObject({ status: 503, body: { message: expect.stringContaining('cannot be put in their place yet') } })
  await service.kill()
})

testOnDisk('a disk that fails is told to whoever writes and to health, and what is there can be read', async () => {
  using disk = mountDisk()
  await using service = await startService({ dataDir: join(disk.path, 'data') })
  await ingest(service, 'web', [{ n: 1 }])
  const { id } = await created(service)
  const query = () => apl(service, "['web'] | count")
  // What was acknowledged is in its table then.
  expect((await query()).status).toBe(200)
  await disk.fail()

  const large = JSON.stringify(Array.from({ length: 20_000 }, (_, n) => ({ n, pad: 'x'.repeat(400) })))
  for (const body of [[{ n: 2 }], large]) {
    const answer = await ask(service, 'POST', '/v1/datasets/web/ingest', { body })
    expect([answer.status, answer.body]).toEqual([503, { code: 503, message: FAILED }])
  }
  const annotation = await ask(service, 'POST', '/v2/annotations', { body: { datasets: ['web'], type: 'deploy' } })
  expect([annotation.status, annotation.body]).toEqual([507, { code: 507, message: FAILED }])
  const { status, body } = await query()
  expect([status, body.tables?.[0]?.columns]).toEqual([200, [[1]]])
  expect((await list(service)).body).toMatchObject([{ id }])
  // It may have been tried some seconds ago.
  const message = 'disk: it cannot be written'
  const answer = { status: 503, body: { code: 503, message } }
  await until('health says so', async () => (await ask(service, 'GET', '/healthz')).status === 503)
  expect(await ask(service, 'GET', '/healthz')).toMatchObject(answer)
  await service.kill()
})
