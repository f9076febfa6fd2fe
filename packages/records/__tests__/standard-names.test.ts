/**
 * What becomes of words that an earlier version stored: verdicts, types, members of saved views, and queries of annotations.
 */

import type { Verdict } from '@deployment-annotations/contract/verdict'
import { describe, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { findAnnotation, insertAnnotation } from '../src/annotation-records.ts'
import { down } from '../src/migrations/0014-standard-names.ts'
import { insertMonitor, listMonitors, type MonitorDefinition } from '../src/monitor-records.ts'
import { insertNotifier, listNotifiers } from '../src/notifier-records.ts'
import { insertMessages, listMessages } from '../src/outbox-records.ts'
import type { RecordsDatabase } from '../src/records.ts'
import { insertSavedQuery, readSavedQuery } from '../src/saved-query-records.ts'
import { insertSavedView, listSavedViews, type SavedViewDefinition } from '../src/saved-view-records.ts'
import { usePlaces } from './places.ts'

const places = usePlaces()

const OF_ANNOTATIONS = `['_annotations'] | where verdict == "too-little-data" and type != 'seen-release' and isempty(undoneBy)`
const RENAMED = `['_annotations'] | where verdict == "inconclusive" and type != 'detected-release' and isempty(rolledBackBy)`
/** Of a person's events, in which the words mean what that person says. */
const OF_EVENTS = `['seen-release'] | where verdict == "too-little-data" and isempty(undoneBy)`
/** A dataset that is called as the type was. */
const DATASETS = ['seen-release']
const TEXT = 'he said "verdict":"too-little-data"'
const made = { createdAtMs: 1, createdBy: 't', updatedAtMs: 1 }

async function addAnnotation(db: RecordsDatabase, id: string, type: string) {
  const series = [
    { name: TEXT, verdict: 'too-little-data' },
    { name: 'b', verdict: 'same' },
  ]
  const verdict = 'too-little-data' as unknown as Verdict
  const verdictDetails = JSON.stringify({ headline: 'Cannot tell', series })
  await insertAnnotation(db, { ...made, id, type, datasets: DATASETS, timeNs: 1n, description: TEXT, verdict, verdictDetails })
}

async function addMonitor(db: RecordsDatabase, id: string, aplQuery: string, annotationType: string) {
  const definition = { name: TEXT, aplQuery, annotationType, datasets: DATASETS, intervalMinutes: 1 } as MonitorDefinition
  const state = { status: 'ok', sinceMs: 1, nextRunMs: 1 } as const
  await insertMonitor(db, { ...made, id, version: 7n, definition, state })
}

/** As the version before left them. */
async function fillEarlier(db: RecordsDatabase) {
  await addAnnotation(db, 'ann_1', 'seen-release')
  await addAnnotation(db, 'ann_2', 'not-a-seen-release')
  await addMonitor(db, 'mon_1', OF_ANNOTATIONS, 'seen-release')
  await addMonitor(db, 'mon_2', OF_EVENTS, 'deploy')
  const view = { name: TEXT, hiddenTypes: ['deploy', 'seen-release'], datasets: DATASETS, marksQuery: OF_EVENTS }
  await insertSavedView(db, { ...made, id: 'viw_1', version: 3, definition: view as unknown as SavedViewDefinition })
  const notifier = { name: TEXT, events: ['verdict'], datasets: DATASETS, types: ['seen-release', 'deploy'] }
  await insertNotifier(db, { ...made, id: 'ntf_1', kind: 'slack', definition: notifier, encryptedTarget: 'x', targetBy: 't' })
  const annotation = { id: 'ann_1', type: 'seen-release', verdict: 'too-little-data', datasets: DATASETS, title: TEXT }
  await insertMessages(db, ['ntf_1'], { subject: 'ann_1', notice: JSON.stringify({ event: 'verdict', annotation }) })
  const query = { kind: 'apl', dataset: '_annotations', createdBy: 't', createdAtMs: 1 } as const
  await insertSavedQuery(db, {
    ...query,
    id: 'qry_1',
    query: `{"apl":${JSON.stringify(OF_ANNOTATIONS)},"n":18446744073709551615}`,
  })
  await down(db)
  await sql`delete from kysely_migration where name >= '0014-standard-names'`.execute(db)
}

describe.each(places.names)('on %s', (place) => {
  test('the first start renames them, and leaves what people wrote and how their datasets are called', async () => {
    await using at = await places.open(place)
    await at.records.transaction(fillEarlier)
    const { read } = await at.again()
    const details = {
      headline: 'Cannot tell',
      series: [
        { name: TEXT, verdict: 'inconclusive' },
        { name: 'b', verdict: 'same' },
      ],
    }
    for (const [id, type] of [
      ['ann_1', 'detected-release'],
      ['ann_2', 'not-a-seen-release'],
    ] as const) {
      const { verdictDetails = '', ...annotation } = (await findAnnotation(read, id)) ?? {}
      expect(annotation).toMatchObject({ type, verdict: 'inconclusive', datasets: DATASETS, description: TEXT })
      expect(JSON.parse(verdictDetails)).toEqual(details)
    }
    expect((await listMonitors(read)).map(({ definition }) => definition)).toMatchObject([
      { name: TEXT, aplQuery: RENAMED, annotationType: 'detected-release', datasets: DATASETS },
      { name: TEXT, aplQuery: OF_EVENTS, annotationType: 'deploy', datasets: DATASETS },
    ])
    expect((await listSavedViews(read)).map(({ definition }) => definition)).toEqual([
      { name: TEXT, hiddenTypes: ['deploy', 'detected-release'], datasets: DATASETS, annotationsQuery: OF_EVENTS, variables: [] },
    ])
    expect((await listNotifiers(read)).map(({ definition }) => definition)).toEqual([
      { name: TEXT, events: ['verdict'], datasets: DATASETS, types: ['detected-release', 'deploy'] },
    ])
    const [message] = await listMessages(read, 'ntf_1')
    expect(JSON.parse(message?.notice ?? '')).toEqual({
      event: 'verdict',
      annotation: { id: 'ann_1', type: 'detected-release', verdict: 'inconclusive', datasets: DATASETS, title: TEXT },
    })
    const saved = await readSavedQuery(read, 'qry_1')
    expect(saved?.query).toBe(`{"apl":${JSON.stringify(RENAMED)},"n":18446744073709551615}`)
  })
})
