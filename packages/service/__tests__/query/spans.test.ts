/**
 * Ranges that hold all events of a dataset, of which the engine is not asked for times: answers are exact while others write, and once
 * events are there that lie outside.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from '@jest/globals'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { runs } from '../../../../__tests__/support/long.ts'
import type { Reader } from '../../../event-store/src/reading/reader.ts'
import { isWithin, TableSpans } from '../../../event-store/src/reading/table-spans.ts'
import { TableWrites } from '../../../event-store/src/tables/table-writes.ts'
import { roomForTests, startDriven } from '../monitors/driven-service.ts'
import { apl, ingest, ingestEach } from './ask.ts'

const RANGE = { startNs: 0n, endNs: 100n }
const read = (first: string, last: string, rows: string) => async () => [first, last, rows]

describe('the span of a table', () => {
  test('is known once it was read, until something is written', async () => {
    const writes = new TableWrites()
    const spans = new TableSpans(writes, 0)
    expect(spans.of('a')).toBeUndefined()
    await spans.refresh(['a'], read('5', '99', '2'))
    await spans.refresh(['a'], read('0', '0', '1'))
    const known = spans.of('a')
    expect(known?.span).toEqual({ startNs: 5n, endNs: 100n })
    expect(known && isWithin(known, RANGE)).toBe(true)
    await writes.during('b', async () => undefined)
    expect(spans.of('a')).toBe(known)
    await writes.during('a', async () => undefined)
    expect(spans.of('a')).toBeUndefined()
    expect(known && spans.isCurrent(known)).toBe(false)
  })

  test('is neither read nor gone by while something is written, or was a moment ago', async () => {
    const writes = new TableWrites()
    const [spans, patient] = [new TableSpans(writes, 0), new TableSpans(writes, 60_000)]
    await spans.refresh(['a'], read('5', '9', '2'))
    const before = spans.of('a')
    await writes.during('a', async () => {
      // What is written may be there already.
      expect(before && spans.isCurrent(before)).toBe(false)
      await spans.refresh(['a'], read('5', '9', '2'))
      expect(spans.of('a')).toBeUndefined()
    })
    await patient.refresh(['a'], read('5', '9', '2'))
    expect(patient.of('a')).toBeUndefined()
    await spans.refresh(['a'], read('5', '500', '3'))
    expect(spans.of('a')?.span?.endNs).toBe(501n)
  })

  test('is not known where something was written while it was read', async () => {
    const writes = new TableWrites()
    const spans = new TableSpans(writes, 0)
    await spans.refresh(['a'], async () => {
      await writes.during('a', async () => undefined)
      return ['5', '9', '2']
    })
    expect(spans.of('a')).toBeUndefined()
  })
})

describe('a dataset', () => {
  const service = serviceForTests({ args: [] })
  const DAY = { startTime: '2026-01-02T00:00:00Z', endTime: '2026-01-03T00:00:00Z' }
  const inside = (n: number) => ({ _time: new Date(Date.UTC(2026, 0, 2) + n * 1_000).toISOString(), n })
  const outside = (n: number) => ({ _time: n % 2 === 0 ? '2026-01-01T23:59:59.999999999Z' : '2026-01-03T00:00:00Z', n })
  const countOf = async (dataset: string) => {
    const { body } = await apl(service, `['${dataset}'] | where n >= 0 | summarize count()`, DAY)
    return [body.tables[0]?.columns[0]?.[0], body.status.rowsMatched]
  }
  /** Until nobody has written to it for long enough. */
  const becomesQuiet = () => sleep(1_200)

  test('has the events of a range at its edges, before and after others lie beyond them', async () => {
    await ingest(service, 'edges', [
      { _time: '2026-01-02T00:00:00Z', n: 1 },
      { _time: '2026-01-02T23:59:59.999999999Z', n: 2 },
    ])
    await becomesQuiet()
    for (let asked = 0; asked < 2; asked++) expect(await countOf('edges')).toEqual([2, 2])
    for (const n of [0, 1]) {
      await ingest(service, 'edges', [outside(n)])
      expect(await countOf('edges')).toEqual([2, 2])
      await becomesQuiet()
      for (let asked = 0; asked < 2; asked++) expect(await countOf('edges')).toEqual([2, 2])
    }
  })

  test('without events in it, or with none at all, has none', async () => {
    await ingest(service, 'empty', [outside(0)])
    await becomesQuiet()
    expect(await countOf('empty')).toEqual([0, 0])
  })

  test('that is written to while it is asked never counts an event outside of the range', async () => {
    const rows = 20_000
    await ingestEach(service, 'busy', rows, inside)
    for (let round = 0; round < runs(3, 20); round++) {
      await becomesQuiet()
      await countOf('busy')
      // Queries that began before the write, while it is under way, and after it.
      const asked = Array.from({ length: 4 }, () => countOf('busy'))
      const written = Array.from({ length: 4 }, (_, n) => ingest(service, 'busy', [outside(n)]))
      asked.push(countOf('busy'), countOf('busy'))
      for (const found of await Promise.all(asked)) expect(found).toEqual([rows, rows])
      await Promise.all(written)
      expect(await countOf('busy')).toEqual([rows, rows])
      const groups = await apl(service, "['busy'] | summarize count() by bin(_time, 1h)", DAY)
      expect(groups.body.tables[1]?.columns).toEqual([[rows]])
    }
  })
})

describe('a query that an event of another time overtakes', () => {
  const room = roomForTests()

  test.each([
    ['a count', '| where n > 0 | count', 1],
    ['rows', '| where n > 0 | limit 10', 1],
    ['bins', '| where n > 0 | summarize count() by bin(_time, 1h)', 1],
  ])('runs again: %s', async (name, text, inRange) => {
    const dataset = name.replace(' ', '-')
    const times: string[] = []
    let overtake: (() => Promise<void>) | undefined
    const reader: Reader = {
      ...room.events.reader,
      async read(statement, signal, asker) {
        if (!statement.sql.includes('data.')) return room.events.reader.read(statement, signal, asker)
        times.push(statement.sql.includes('WHERE _time >= ') ? 'with times' : 'without')
        await overtake?.()
        return room.events.reader.read(statement, signal, asker)
      },
    }
    await using service = await startDriven(room, { reader })
    await service.ingest(dataset, [{ _time: '2026-01-02T12:00:00Z', n: 1 }])
    const matched = async () =>
      (await apl(service, `['${dataset}'] ${text}`, { startTime: '2026-01-02', endTime: '2026-01-03' })).body.status.rowsMatched
    // Asked for once, it is in its table.
    expect(await matched()).toBe(inRange)
    await sleep(1_200)
    times.length = 0
    expect(await matched()).toBe(inRange)
    expect(times.splice(0)).toEqual(['without'])
    // Once the plan is made, and before the engine has it.
    overtake = async () => {
      overtake = undefined
      await service.ingest(dataset, [{ _time: '2026-01-09T12:00:00Z', n: 2 }])
      await room.events.settle()
    }
    expect(await matched()).toBe(inRange)
    expect(times).toEqual(['without', 'with times'])
  })
})
