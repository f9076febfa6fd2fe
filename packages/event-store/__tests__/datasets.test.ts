/**
 * The datasets of one service, and of several that share their records, over tables of events that fail when told to.
 */
import { expect, test } from '@jest/globals'
import { usePlaces } from '../../records/__tests__/places.ts'
import { RecordCaches } from '../../records/src/database/record-caches.ts'
import type { Records } from '../../records/src/database/records.ts'
import { Datasets } from '../src/datasets/datasets.ts'
import { IN_REST, TYPE_BITS, UNLISTED } from '../src/fields/field.ts'
import type { EventTables } from '../src/tables/event-tables.ts'
import { createFieldSaver } from '../src/write/save-fields.ts'

const places = usePlaces()

/** The engine that all services of a test share. */
function createTables() {
  const retention = new Map<string, number>()
  const faults = { create: false, setRetention: false, drop: false }
  const fail = (fault: keyof typeof faults) => {
    if (faults[fault]) throw new Error('the disk is full')
  }
  const tables: Partial<EventTables> = {
    async create(table) {
      fail('create')
      if (!retention.has(table)) retention.set(table, 0)
    },
    async drop(table) {
      fail('drop')
      retention.delete(table)
    },
    async setRetention(table, days) {
      fail('setRetention')
      retention.set(table, days)
    },
  }
  return { tables: tables as EventTables, retention, faults }
}

function openDatasets(records: Records, tables: EventTables) {
  const datasets = new Datasets({ records, tables, fieldsMax: 10, clock: () => 1_000 })
  const caches = new RecordCaches(records, [datasets])
  return { datasets, refresh: () => caches.refresh() }
}

const NEW = { description: '', retentionDays: 0, createdBy: 'me' }
const rowsOf = ({ read }: Records) => read.selectFrom('datasets').selectAll().orderBy('name').execute()

places.each((at) => {
  test('a dataset that requests only named is one for all of them, and forgotten with the last', async () => {
    const { datasets } = openDatasets(at.records, createTables().tables)
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
    expect(await rowsOf(at.records)).toEqual([])
  })

  test('the first request that commits puts the dataset on disk, once', async () => {
    const { tables, retention } = createTables()
    const { datasets } = openDatasets(at.records, tables)
    using one = datasets.acquire('web', 'me')
    using two = datasets.acquire('web', 'you')
    await Promise.all([one.commit(), two.commit()])
    await one.commit()
    const kept = await rowsOf(at.records)
    expect(kept).toMatchObject([{ name: 'web', created_by: 'me', state: 'live' }])
    expect([...retention.keys()]).toEqual([kept[0]?.table_name])
    expect(datasets.get('web')).toBe(one.dataset)
    expect(one.dataset.state).toBe('live')
  })

  test('where the engine fails, the next request that commits makes the same table', async () => {
    const { tables, retention, faults } = createTables()
    const { datasets, refresh } = openDatasets(at.records, tables)
    using one = datasets.acquire('web', 'me')
    faults.create = true
    await expect(one.commit()).rejects.toThrow('the disk is full')
    await refresh()
    expect(datasets.find('web')).toBeUndefined()
    faults.create = false
    await one.commit()
    expect([...retention.keys()]).toEqual((await rowsOf(at.records)).map(({ table_name }) => table_name))
  })

  test('a dataset made by hand while an event names it has the words of the hand', async () => {
    const { datasets } = openDatasets(at.records, createTables().tables)
    using event = datasets.acquire('web', 'event')
    const made = await datasets.create({ name: 'web', description: 'ours', retentionDays: 3, createdBy: 'me' })
    expect(made).toBe(event.dataset)
    expect(made).toMatchObject({ description: 'ours', retentionDays: 3, createdBy: 'me', state: 'live' })
  })

  test('a dataset that an event is making at this moment is there already', async () => {
    const { datasets } = openDatasets(at.records, createTables().tables)
    using event = datasets.acquire('web', 'event')
    const committing = event.commit()
    const byHand = datasets.create({ name: 'web', description: 'ours', retentionDays: 0, createdBy: 'me' })
    await expect(byHand).rejects.toMatchObject({ code: 'exists' })
    await committing
    expect(datasets.get('web').createdBy).toBe('event')
  })

  test('a name that several services take at one moment is one dataset with one table', async () => {
    const { tables, retention } = createTables()
    const services = [
      openDatasets(at.records, tables),
      openDatasets(await at.again(), tables),
      openDatasets(await at.again(), tables),
    ]
    for (let round = 0; round < 10; round++) {
      const name = `web-${round}`
      const leases = services.map(({ datasets }) => datasets.acquire(name, 'event'))
      await Promise.all(leases.map((lease) => lease.commit()))
      expect(new Set(leases.map(({ dataset }) => dataset.table)).size).toBe(1)
      expect(leases.map(({ dataset }) => dataset.state)).toEqual(['live', 'live', 'live'])
      for (const lease of leases) lease[Symbol.dispose]()
    }
    expect(retention.size).toBe(10)
  })

  test('of several services that make one dataset by hand, one is told that it made it', async () => {
    const { tables } = createTables()
    const services = [openDatasets(at.records, tables), openDatasets(await at.again(), tables)]
    for (let round = 0; round < 10; round++) {
      const results = await Promise.allSettled(
        services.map(({ datasets }, i) => datasets.create({ ...NEW, name: `web-${round}`, description: `of ${i}` })),
      )
      expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      const winner = results.findIndex(({ status }) => status === 'fulfilled')
      for (const { refresh } of services) await refresh()
      expect(services.map(({ datasets }) => datasets.get(`web-${round}`).description)).toEqual([`of ${winner}`, `of ${winner}`])
    }
  })

  test('what one service changes, the others know at the next look', async () => {
    const { tables, retention } = createTables()
    const [here, there] = [openDatasets(at.records, tables), openDatasets(await at.again(), tables)]
    const { table } = await here.datasets.create({ ...NEW, name: 'web' })
    await there.refresh()
    await there.datasets.change('web', { retentionDays: 30 })
    await here.datasets.change('web', { description: 'ours' })
    await there.refresh()
    expect(there.datasets.get('web')).toMatchObject({ description: 'ours', retentionDays: 30 })
    expect(retention.get(table)).toBe(30)

    const save = createFieldSaver(at.records)
    const gone = save('events_00000000', new Map([['status', 1]]))
    await Promise.all([
      save(table, new Map([['status', 1]])),
      save(
        table,
        new Map([
          ['status', 2],
          ['took', 4],
        ]),
      ),
      expect(gone).rejects.toMatchObject({ code: 'not_found' }),
    ])
    await there.refresh()
    const fields = [...there.datasets.get('web').fields.root.fields()].map(({ name, types }) => [name, types])
    expect(fields).toEqual([
      ['status', 3],
      ['took', 4],
    ])
    expect(there.datasets.get('web').fields.size).toBe(2)

    using lease = here.datasets.acquire('web', 'event')
    await there.datasets.remove('web')
    await here.refresh()
    expect(here.datasets.find('web')).toBeUndefined()
    expect(lease.dataset.state).toBe('gone')
    await here.datasets.create({ ...NEW, name: 'web' })
    await there.refresh()
    expect(there.datasets.get('web').table).not.toBe(table)
    expect([...there.datasets.get('web').fields.root.fields()]).toEqual([])
  })

  test('a retention that the engine does not take is not kept; a dataset whose table cannot be dropped is gone', async () => {
    const { tables, faults, retention } = createTables()
    const { datasets } = openDatasets(at.records, tables)
    await datasets.create({ ...NEW, name: 'web', retentionDays: 3 })
    faults.setRetention = true
    await expect(datasets.change('web', { retentionDays: 30, description: 'kept' })).rejects.toThrow('the disk is full')
    expect(datasets.get('web')).toMatchObject({ retentionDays: 3, description: 'kept' })
    faults.drop = true
    await datasets.remove('web')
    expect(datasets.list()).toEqual([])
    expect(retention.size).toBe(1)
  })

  test('what records of before lack is saved with the next events, members that are no fields too', async () => {
    const { datasets, refresh } = openDatasets(at.records, createTables().tables)
    const dataset = await datasets.create({ ...NEW, name: 'web' })
    const types = new Map([
      ['n', TYPE_BITS.integer],
      [UNLISTED, IN_REST],
    ])
    await createFieldSaver(at.records)(dataset.table, types)
    await refresh()
    expect(dataset.fields.hasUnlisted).toBe(true)
    await at.records.transaction((db) => db.deleteFrom('dataset_fields').execute())
    await datasets.load(0n, true)
    const saved: unknown[] = []
    await dataset.unsaved.flush(async (fields) => void saved.push(...fields))
    expect(saved).toEqual([...types])
  })
})
