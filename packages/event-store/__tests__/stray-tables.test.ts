/**
 * Tables that belong to no dataset: only those that somebody asked to drop, and the remains of requests, are dropped.
 */
import { expect, test } from '@jest/globals'
import { NEW_SETTINGS, openDataset, removeDataset, reserveDataset } from '../../records/src/datasets/dataset-records.ts'
import { StrayTables } from '../src/upkeep/upkeep.ts'
import { openTestStore } from './test-store.ts'

const [LIVE, REMOVED, UNKNOWN, STAGING] = [
  'events_aaaaaaaaaa',
  'events_bbbbbbbbbb',
  'events_cccccccccc',
  'staging_dddddddddd',
] as const

test('a table that no record names is kept and named, however long; that of a removed dataset is dropped', async () => {
  await using opened = await openTestStore()
  const { store, records } = opened
  for (const table of [LIVE, REMOVED, UNKNOWN, STAGING]) await store.create(table)
  for (const table of [LIVE, REMOVED]) {
    const dataset = { ...NEW_SETTINGS, name: table, table, description: '', createdBy: '', retentionDays: 0 }
    const kept = { ...dataset, createdAtMs: 0, updatedAtMs: 0 }
    await records.transaction((db) => reserveDataset(db, kept))
    await records.transaction((db) => openDataset(db, table, kept))
  }
  await records.transaction((db) => removeDataset(db, REMOVED, 0))
  const strays = new StrayTables({ tables: store, records })
  await strays.find()
  expect(strays.unknown).toEqual([UNKNOWN])
  expect((await store.list()).sort()).toEqual([LIVE, REMOVED, UNKNOWN, STAGING])
  await strays.drop()
  expect((await store.list()).sort()).toEqual([LIVE, UNKNOWN, STAGING])
  await strays.drop(0)
  expect([(await store.list()).sort(), strays.unknown]).toEqual([[LIVE, UNKNOWN], [UNKNOWN]])
})
