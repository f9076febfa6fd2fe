/**
 * What becomes of annotations when their dataset is removed, and of those whose dataset an earlier version removed.
 */
import { expect, test } from '@jest/globals'
import { listAnnotations } from '../src/annotations/annotation-lists.ts'
import { findAnnotation, insertAnnotation } from '../src/annotations/annotation-records.ts'
import type { RecordsDatabase } from '../src/database/records.ts'
import { NEW_SETTINGS, openDataset, removeDataset, reserveDataset } from '../src/datasets/dataset-records.ts'
import { up } from '../src/migrations/0004-deleted-datasets.ts'
import { usePlaces } from './places.ts'

const places = usePlaces()

const mark =
  (id: string, datasets: string[], atMs: number, endMs = atMs) =>
  (db: RecordsDatabase) =>
    insertAnnotation(db, {
      id,
      datasets,
      timeNs: BigInt(atMs) * 1_000_000n,
      ...(endMs > atMs && { endTimeNs: BigInt(endMs) * 1_000_000n }),
      type: 'deploy',
      createdAtMs: atMs,
      createdBy: 't',
    })

async function makeDataset(db: RecordsDatabase, name: string, table: string) {
  const settings = { description: '', retentionDays: 0, ...NEW_SETTINGS }
  await reserveDataset(db, { name, table, createdAtMs: 1, updatedAtMs: 1, createdBy: 't', ...settings })
  await openDataset(db, table, settings)
}

const idsOf = async (db: RecordsDatabase, dataset: string) =>
  (await listAnnotations(db, { datasets: [dataset] }, { limit: 10_000 })).map(({ id }) => id)

places.each((at) => {
  test('all of a removed dataset are taken from its name, however many there are', async () => {
    await at.records.transaction((db) => makeDataset(db, 'web', 't1'))
    await at.records.transaction(async (db) => {
      for (let i = 0; i < 2_500; i++) await mark(`ann_${i}`, i % 2 ? ['web'] : ['my-web', 'web'], i)(db)
    })
    expect(await idsOf(at.records.read, 'web')).toHaveLength(2_500)
    await at.records.transaction((db) => removeDataset(db, 't1', 5_000))
    expect(await idsOf(at.records.read, 'web')).toEqual([])
    expect(await idsOf(at.records.read, 'my-web')).toHaveLength(1_250)
    expect((await findAnnotation(at.records.read, 'ann_2'))?.datasets).toEqual(['my-web', 'web (deleted)'])
  })

  test('marks of datasets that an earlier version removed are taken from the name, those made or ending later are not', async () => {
    await at.records.transaction(async (db) => {
      await makeDataset(db, 'web', 't1')
      await removeDataset(db, 't1', 1_000)
      // As the earlier version left them.
      await mark('ann_old', ['web', 'api'], 500)(db)
      await mark('ann_span', ['web'], 500, 2_000)(db)
      await mark('ann_new', ['web'], 1_500)(db)
      await mark('ann_other', ['api'], 500)(db)
    })
    await at.records.transaction(up)
    expect(await idsOf(at.records.read, 'web')).toEqual(['ann_span', 'ann_new'])
    expect((await idsOf(at.records.read, 'api')).sort()).toEqual(['ann_old', 'ann_other'])
    expect((await findAnnotation(at.records.read, 'ann_old'))?.datasets).toEqual(['web (deleted)', 'api'])
  })
})
