/**
 * Messages on their way: over both kinds of records, by one service and by two, to receivers on loopback that misbehave. The clock of the
 * tries runs fast; claims go by that of the records.
 */
import { writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { NewNotifier } from '@deployment-annotations/contract/notifier'
import { describe, expect, test } from '@jest/globals'
import type { NotifierNotice } from '../../../edge/src/messages/message.ts'
import { type Place, usePlaces } from '../../../records/__tests__/places.ts'
import { claimMessage, insertMessages, listMessages } from '../../../records/src/automations/outbox-records.ts'
import type { Records } from '../../../records/src/database/records.ts'
import { createLog } from '../../../runtime/src/log.ts'
import { Notifiers } from '../../src/automations/notifiers/notifiers.ts'
import { CEILINGS } from '../../src/flags/ceilings.ts'
import { MessageOutbox, type OutboxOptions } from '../../src/outbox/message-outbox.ts'
import type { Timer } from '../../src/scheduling/scheduler.ts'
import { createFastTimer } from '../monitors/fast-timer.ts'
import { isSigned, startReceiver } from './receiver.ts'

const places = usePlaces()
const WAITING_MAX = 1_000
/** A second takes 10 ms. */
const SPEED = 100
const BY = { id: 'tok_a', sinceMs: 0, limit: undefined, may: () => true, require: () => undefined }
const NOTICE: NotifierNotice = {
  event: 'failure',
  action: 'open',
  time: '2026-01-31T12:00:00Z',
  title: 'web 1 failed',
  text: 'Failed',
}

/** A place with a key, notifiers, and services that deliver. */
function openRoom({ records, dataDir }: Place, startMs = Date.now()) {
  writeFileSync(join(dataDir, 'encryption.key'), `${'5a'.repeat(32)}\n`)
  const fromMs = Date.now()
  const fast = createFastTimer(fromMs, SPEED)
  const shiftMs = startMs - fromMs
  const clock: Timer = {
    now: () => fast.now() + shiftMs,
    waitUntil: (atMs, signal) => fast.waitUntil(atMs - shiftMs, signal),
  }
  const lines: string[] = []
  const log = createLog((line) => lines.push(line))
  const notifiers = new Notifiers({ records, ceilings: CEILINGS, dataDir, clock: clock.now, mayBePrivate: true, hasSmtp: false })
  return {
    lines,
    notifiers,
    make: (url: string, more: Partial<NewNotifier> = {}) =>
      notifiers.create({ name: 'n', properties: { webhook: { url: `${url}/hook/very-secret-path` } }, ...more }, BY),
    write: (id: string, subject = 'ann_1', notice: Partial<NotifierNotice> = {}) =>
      records.transaction((db) => insertMessages(db, [id], { subject, notice: JSON.stringify({ ...NOTICE, ...notice }) })),
    start(of: Records, more: Partial<OutboxOptions> = {}) {
      const ending = new AbortController()
      const outbox = new MessageOutbox({ records: of, dataDir, clock, log, mayBePrivate: true, timeoutMs: 1_000, ...more })
      const running = outbox.run(ending.signal)
      return {
        async [Symbol.asyncDispose]() {
          ending.abort()
          await running
        },
      }
    },
    /** Waits until no message of the notifier waits. */
    async settled(id: string) {
      for (let tries = 0; tries < 600; tries++) {
        const all = await listMessages(records.read, id)
        if (all.length > 0 && all.every(({ state }) => state !== 'waiting')) return all
        await sleep(25)
      }
      throw new Error(`messages wait: ${JSON.stringify(await listMessages(records.read, id))}`)
    },
  }
}

const status =
  (code: number, headers: Record<string, string> = {}, body = '') =>
  (_: unknown, response: ServerResponse) =>
    void response.writeHead(code, headers).end(body)

describe.each(places.names)('on %s', (name) => {
  test('two services on one store deliver each message once, signed, and those about one subject in order', async () => {
    await using place = await places.open(name)
    await using receiver = await startReceiver()
    const room = openRoom(place)
    const made = await Promise.all([room.make(`${receiver.url}/a`), room.make(`${receiver.url}/b`)])
    for (let n = 0; n < 30; n++) {
      for (const notifier of made) await room.write(notifier.id, `ann_${n % 3}`, { title: String(n) })
    }
    await using _one = room.start(place.records)
    await using _two = room.start(await place.again())
    for (const notifier of made) await room.settled(notifier.id)
    expect(receiver.received).toHaveLength(60)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(60)
    for (const { secret = '' } of made.slice(0, 1)) {
      const own = receiver.received.filter(({ path }) => path.startsWith('/a'))
      expect(own.filter((one) => isSigned(one, secret))).toHaveLength(30)
      for (const subject of [0, 1, 2]) {
        const titles = own.map(({ body }) => Number(JSON.parse(body).data.title)).filter((n) => n % 3 === subject)
        expect(titles).toEqual([...titles].sort((a, b) => a - b))
      }
    }
  })

  test('where the service that took a message was killed, another delivers it with the same id', async () => {
    await using place = await places.open(name)
    await using receiver = await startReceiver()
    const room = openRoom(place)
    const notifier = await room.make(receiver.url)
    await room.write(notifier.id)
    const [message] = await listMessages(place.records.read, notifier.id)
    const id = message?.id ?? ''
    const dead = { holder: 'dead', claimMs: 1_500 }
    expect(await place.records.transaction((db) => claimMessage(db, place.records, id, dead))).toMatchObject({ id })
    await using _ = room.start(await place.again())
    await sleep(500)
    expect(receiver.received).toHaveLength(0)
    await room.settled(notifier.id)
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([id])
  })

  test('a message is tried again with its id after 500, silence and a connection that ends, and not after 400', async () => {
    await using place = await places.open(name)
    const acts = [status(500), () => undefined, (_: unknown, response: ServerResponse) => void response.destroy(), status(204)]
    await using receiver = await startReceiver((one, response, count) => acts[count - 1]?.(one, response))
    const room = openRoom(place)
    const { secret = '', ...notifier } = await room.make(receiver.url)
    await room.write(notifier.id)
    await using _ = room.start(place.records)
    expect(await room.settled(notifier.id)).toMatchObject([{ state: 'delivered', attempts: 4 }])
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(receiver.received.every((one) => isSigned(one, secret))).toBe(true)

    await using refusing = await startReceiver(status(400, {}, 'no such very-secret-path'))
    const other = await room.make(refusing.url)
    await room.write(other.id)
    expect(await room.settled(other.id)).toMatchObject([
      { state: 'failed', attempts: 1, error: 'the receiver answered 400: no such …' },
    ])
    expect(room.lines.join('\n')).not.toContain('very-secret-path')
  })

  test('a receiver that is down stops neither others nor its own queue, which keeps its newest', async () => {
    await using place = await places.open(name)
    await using down = await startReceiver(() => undefined)
    await using up = await startReceiver()
    const room = openRoom(place)
    const [bad, good] = [await room.make(down.url), await room.make(up.url)]
    const notice = JSON.stringify(NOTICE)
    await place.records.transaction(async (db) => {
      for (let n = 0; n < WAITING_MAX + 3; n++) await insertMessages(db, [bad.id], { subject: `ann_${n}`, notice })
    })
    const waiting = await place.records.read.selectFrom('outbox').select('state').where('state', '=', 'waiting').execute()
    expect(waiting).toHaveLength(WAITING_MAX)
    // Longer than a machine that is busy keeps an answer waiting: what is not answered in time is sent again, rightly.
    await using _ = room.start(place.records, { timeoutMs: 5_000 })
    await down.wait(1)
    for (let n = 0; n < 5; n++) await room.write(good.id, `ann_${n}`)
    await room.settled(good.id)
    expect(up.received).toHaveLength(5)
    expect(down.received.length).toBeLessThan(10)
  })
})

test('a receiver that says how long to wait is left alone so long, and a redirect is not followed', async () => {
  await using place = await places.open('SQLite')
  await using receiver = await startReceiver((one, response, count) =>
    (count === 1 ? status(429, { 'retry-after': '120' }) : status(200))(one, response),
  )
  const room = openRoom(place)
  const notifier = await room.make(receiver.url)
  await room.write(notifier.id)
  await using _ = room.start(place.records)
  await room.settled(notifier.id)
  const [first, second] = receiver.received
  expect(((second?.atMs ?? 0) - (first?.atMs ?? 0)) * SPEED).toBeGreaterThan(115_000)

  await using moved = await startReceiver(status(302, { location: receiver.url }))
  const other = await room.make(moved.url)
  await room.write(other.id)
  expect(await room.settled(other.id)).toMatchObject([{ state: 'failed', attempts: 1 }])
  expect(receiver.received).toHaveLength(2)
})

test('a message that cannot be delivered for a day has failed, and the last ones are listed', async () => {
  await using place = await places.open('SQLite')
  await using receiver = await startReceiver(status(503))
  const room = openRoom(place)
  const notifier = await room.make(receiver.url)
  await room.write(notifier.id)
  const day = BigInt(Date.now() - 86_000_000)
  await place.records.transaction((db) => db.updateTable('outbox').set({ first_try_ms: day, attempts: 90n }).execute())
  await using _ = room.start(place.records)
  await room.settled(notifier.id)
  expect(await room.notifiers.deliveries(notifier.id, BY)).toMatchObject([
    { state: 'failed', attempts: 91, title: 'web 1 failed', error: 'the receiver answered 503' },
  ])
})

test('quiet hours hold messages back until they are over, a test goes out at once, and a disabled notifier is told nothing', async () => {
  await using place = await places.open('SQLite')
  await using receiver = await startReceiver()
  // 23:50 in Berlin; a minute takes 600 ms.
  const room = openRoom(place, Date.UTC(2026, 0, 31, 22, 50))
  const quietHours = { start: '22:00', end: '23:55', zone: 'Europe/Berlin' }
  const notifier = await room.make(receiver.url, { quietHours })
  await room.write(notifier.id)
  await using _ = room.start(place.records)
  await room.notifiers.test(notifier.id, BY)
  await receiver.wait(1)
  expect(JSON.parse(receiver.received[0]?.body ?? '{}')).toMatchObject({ type: 'test' })
  expect(await room.notifiers.deliveries(notifier.id, BY)).toMatchObject([
    { event: 'test' },
    { state: 'waiting', attempts: 0, nextTry: '2026-01-31T22:55:00Z' },
  ])
  await receiver.wait(2)
  expect(JSON.parse(receiver.received[1]?.body ?? '{}')).toMatchObject({ type: 'failure', data: { title: 'web 1 failed' } })

  await room.notifiers.change(notifier.id, { disabledUntil: '2030-01-01T00:00:00Z', quietHours: null }, BY)
  await room.write(notifier.id, 'ann_2')
  expect((await room.settled(notifier.id))[0]).toMatchObject({ state: 'skipped', attempts: 0 })
  expect(receiver.received).toHaveLength(2)
})
