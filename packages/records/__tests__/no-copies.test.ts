/**
 * What becomes of notifiers that copied annotations elsewhere, as an earlier version left them.
 */
import { expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { listMonitors } from '../src/automations/monitor-records.ts'
import { listNotifiers } from '../src/automations/notifier-records.ts'
import { insertMessages, listMessages } from '../src/automations/outbox-records.ts'
import type { RecordsDatabase } from '../src/database/records.ts'
import { insertRow } from './insert-row.ts'
import { usePlaces } from './places.ts'

const places = usePlaces()

async function addNotifier(db: RecordsDatabase, id: string, kind: string) {
  await insertRow(db, 'notifiers', { id, kind, definition: '{}' })
  await insertMessages(db, [id], { subject: 'ann_1', notice: '{}' })
}

const addMonitor = (db: RecordsDatabase, id: string, notifierIds: string[]) =>
  insertRow(db, 'monitors', { id, version: 7n, definition: JSON.stringify({ notifierIds }), state: '{}' })

places.each((at) => {
  test('the first start deletes them with their messages, takes them out of monitors, and leaves all others', async () => {
    await at.records.transaction(async (db) => {
      for (const kind of ['slack', 'grafana', 'datadog', 'honeycomb', 'newRelic']) await addNotifier(db, `ntf_${kind}`, kind)
      await addMonitor(db, 'mon_1', ['ntf_grafana', 'ntf_slack', 'ntf_newRelic'])
      await addMonitor(db, 'mon_2', ['ntf_slack'])
      await sql`insert into remote_marks (notifier, annotation, remote) values ('ntf_grafana', 'ann_1', '77')`.execute(db)
      await sql`alter table annotations rename column verdict_details to judgement`.execute(db)
      await sql`alter table datasets drop column indexed_fields`.execute(db)
      await sql`alter table datasets drop column strict_time`.execute(db)
      await sql`delete from kysely_migration where name >= '0012-no-copies'`.execute(db)
    })
    const { read } = await at.again()
    expect((await listNotifiers(read)).map(({ id }) => id)).toEqual(['ntf_slack'])
    expect(await listMessages(read, 'ntf_slack')).toHaveLength(1)
    expect(await listMessages(read, 'ntf_grafana')).toEqual([])
    expect((await listMonitors(read)).map(({ definition, version }) => [definition.notifierIds, version])).toEqual([
      [['ntf_slack'], 8n],
      [['ntf_slack'], 7n],
    ])
    expect((await sql`select * from remote_marks`.execute(read)).rows).toEqual([])
  })
})
