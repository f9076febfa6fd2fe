/**
 * Records of which only the newest are stored: alerts, deliveries, saved queries and messages. What others of the same kind have stays.
 */
import { expect, test } from '@jest/globals'
import { insertAlerts, listAlerts } from '../src/automations/alert-records.ts'
import { insertDelivery, listDeliveries } from '../src/automations/delivery-records.ts'
import { claimMessage, insertMessages, listMessages, releaseMessage } from '../src/automations/outbox-records.ts'
import type { RecordsDatabase } from '../src/database/records.ts'
import { insertSavedQuery, readSavedQuery, removeOldSavedQueries } from '../src/saved/saved-query-records.ts'
import { insertRow } from './insert-row.ts'
import { usePlaces } from './places.ts'

const places = usePlaces()
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)

const monitor = (id: string) => (db: RecordsDatabase) => insertRow(db, 'monitors', { id })
const notifier = (id: string) => (db: RecordsDatabase) => insertRow(db, 'notifiers', { id })

places.each((at) => {
  test('the newest thousand alerts of a monitor are stored', async () => {
    const alert = (atMs: number) => ({ name: 'm', checkId: `ann_${atMs}`, state: 'open' as const, atMs })
    await at.records.transaction(async (db) => {
      for (const id of ['one', 'other']) await monitor(id)(db)
      await insertAlerts(db, 'other', [alert(0)])
      await insertAlerts(db, 'one', upTo(1_000).map(alert))
    })
    const times = async (id: string) =>
      (await listAlerts(at.records.read, id, { startMs: 0, endMs: 9_999 })).map(({ atMs }) => atMs)
    expect(await times('one')).toEqual(upTo(1_000))
    await at.records.transaction((db) => insertAlerts(db, 'one', [alert(1_000), alert(1_001)]))
    expect(await times('one')).toEqual(upTo(1_002).slice(2))
    expect(await times('other')).toEqual([0])
  })

  test('as many deliveries of an integration and as many saved queries remain as are asked for', async () => {
    const deliver = (integration: string, i: number) => (db: RecordsDatabase) =>
      insertDelivery(db, { id: `${integration}${i}`, integration, atMs: i, outcome: 'created' }, 3)
    const query = { kind: 'apl' as const, dataset: 'web', query: '{}', createdBy: 't' }
    await at.records.transaction(async (db) => {
      await deliver('other', 0)(db)
      for (const i of upTo(5)) await deliver('one', i)(db)
      for (const i of upTo(5)) await insertSavedQuery(db, { ...query, id: `q${i}`, createdAtMs: i })
      await removeOldSavedQueries(db, 1, 3)
    })
    const idsOf = async (integration: string) => (await listDeliveries(at.records.read, integration)).map(({ id }) => id)
    expect([await idsOf('one'), await idsOf('other')]).toEqual([['one4', 'one3', 'one2'], ['other0']])
    const found = await Promise.all(upTo(5).map(async (i) => (await readSavedQuery(at.records.read, `q${i}`))?.id))
    expect(found).toEqual([undefined, undefined, 'q2', 'q3', 'q4'])
    await at.records.transaction((db) => removeOldSavedQueries(db, 0, 3))
    expect(await readSavedQuery(at.records.read, 'q2')).toBeDefined()
  })

  test('of more than a thousand messages that wait the oldest fail, and the last fifty that do not wait are listed', async () => {
    await at.records.transaction(async (db) => {
      for (const id of ['one', 'other']) await notifier(id)(db)
      await insertMessages(db, ['other'], { subject: 's', notice: '{}' })
      for (const i of upTo(1_002)) await insertMessages(db, ['one'], { subject: `s${i}`, notice: '{}' })
    })
    const inState = async (id: string, state: string) => {
      const rows = at.records.read.selectFrom('outbox').selectAll().where('notifier', '=', id).where('state', '=', state)
      return await rows.orderBy('seq').execute()
    }
    const failed = await inState('one', 'failed')
    expect(failed.map(({ subject, error }) => `${subject}: ${error}`)).toEqual(
      ['s0', 's1'].map((subject) => `${subject}: more than 1,000 messages waited`),
    )
    const waiting = await inState('one', 'waiting')
    expect(waiting).toHaveLength(1_000)
    await at.records.transaction(async (db) => {
      for (const { id } of waiting.slice(0, 60)) {
        const message = await claimMessage(db, at.records, id, { holder: 'h', claimMs: 60_000 })
        if (message) await releaseMessage(db, message, 'h', { state: 'delivered', attempts: 1, dueAtMs: 0 })
      }
    })
    const delivered = (await inState('one', 'delivered')).map(({ subject }) => subject)
    expect(delivered).toEqual(
      upTo(62)
        .slice(-50)
        .map((i) => `s${i}`),
    )
    expect([(await inState('one', 'failed')).length, (await listMessages(at.records.read, 'other')).length]).toEqual([0, 1])
  })
})
