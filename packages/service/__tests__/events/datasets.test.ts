import { expect, test } from '@jest/globals'
import { Datasets } from '../../src/events/datasets/datasets.ts'
import type { DatasetStore, StoredDataset } from '../../src/store/dataset-store.ts'
import type { EventTables } from '../../src/store/event-tables.ts'

/** Datasets over a catalogue in memory that fails when told to. */
async function openDatasets() {
  const kept = new Map<string, StoredDataset>()
  const tables = new Set<string>()
  const faults = { create: false }
  const store: DatasetStore = {
    load: async () => [],
    async create(dataset) {
      if (faults.create) throw new Error('the disk is full')
      if (kept.has(dataset.table)) throw new Error(`${dataset.table} was made already`)
      kept.set(dataset.table, { ...dataset })
    },
    change: async () => undefined,
    remove: async (table) => void kept.delete(table),
    addFields: async () => undefined,
  }
  const eventTables: Partial<EventTables> = {
    create: async (table) => void tables.add(table),
    drop: async (table) => void tables.delete(table),
    setRetention: async () => undefined,
  }
  const parts = { store, tables: eventTables as EventTables, fieldsMax: 10, clock: () => 1_000 }
  return { kept, tables, faults, datasets: await Datasets.open(parts) }
}

test('a dataset that requests only named is one for all of them, and forgotten with the last', async () => {
  const { kept, datasets } = await openDatasets()
  let first: unknown
  {
    using one = datasets.acquire('web', 'me')
    using two = datasets.acquire('web', 'you')
    expect(two.dataset).toBe(one.dataset)
    expect(datasets.find('web')).toBeUndefined()
    first = one.dataset
  }
  using later = datasets.acquire('web', 'me')
  expect(later.dataset).not.toBe(first)
  expect(kept.size).toBe(0)
})

test('the first request that commits puts the dataset on disk, once', async () => {
  const { kept, tables, datasets } = await openDatasets()
  using one = datasets.acquire('web', 'me')
  using two = datasets.acquire('web', 'you')
  await Promise.all([one.commit(), two.commit()])
  await one.commit()
  expect([...kept.values()]).toMatchObject([{ name: 'web', createdBy: 'me' }])
  expect([...tables]).toEqual([...kept.keys()])
  expect(datasets.get('web')).toBe(one.dataset)
  expect(one.dataset.state).toBe('live')
})

test('where the store fails, the next request that commits tries again', async () => {
  const { kept, faults, datasets } = await openDatasets()
  using one = datasets.acquire('web', 'me')
  faults.create = true
  await expect(one.commit()).rejects.toThrow('the disk is full')
  expect(datasets.find('web')).toBeUndefined()
  faults.create = false
  await one.commit()
  expect(kept.size).toBe(1)
})

test('a dataset made by hand while an event names it has the words of the hand', async () => {
  const { datasets } = await openDatasets()
  using event = datasets.acquire('web', 'event')
  const made = await datasets.create({ name: 'web', description: 'ours', retentionDays: 3, createdBy: 'me' })
  expect(made).toBe(event.dataset)
  expect(made).toMatchObject({ description: 'ours', retentionDays: 3, createdBy: 'me', state: 'live' })
})

test('a dataset that an event is making at this moment is there already', async () => {
  const { datasets } = await openDatasets()
  using event = datasets.acquire('web', 'event')
  const committing = event.commit()
  const byHand = datasets.create({ name: 'web', description: 'ours', retentionDays: 0, createdBy: 'me' })
  await expect(byHand).rejects.toMatchObject({ code: 'exists' })
  await committing
  expect(datasets.get('web').createdBy).toBe('event')
})
