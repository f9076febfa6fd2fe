/**
 * What becomes of words that an earlier version stored: verdicts, types, members of saved views, and queries of annotations.
 */
import { expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { insertRow } from './insert-row.ts'
import { usePlaces } from './places.ts'

const places = usePlaces()

const OF_ANNOTATIONS = `['_annotations'] | where verdict == "too-little-data" and type != 'seen-release' and isempty(undoneBy)`
const RENAMED = `['_annotations'] | where verdict == "inconclusive" and type != 'detected-release' and isempty(rolledBackBy)`
/** Of a person's events, in which the words mean what that person says. */
const OF_EVENTS = `['seen-release'] | where verdict == "too-little-data" and isempty(undoneBy)`
/** What a person wrote, and a dataset that is called as the type was. */
const KEPT = { name: 'he said "verdict":"too-little-data"', datasets: ['seen-release'] }
const asked = (apl: string) => `{"apl":${JSON.stringify(apl)},"n":18446744073709551615}`

/** A table, and the cells of a row of it before and after the first start of this version; objects stand for their JSON. */
const ROWS: readonly [table: string, before: Record<string, unknown>, after: Record<string, unknown>][] = [
  ['annotations', { type: 'seen-release' }, { type: 'detected-release' }],
  ['annotations', { type: 'not-a-seen-release' }, { type: 'not-a-seen-release' }],
  ['annotations', { verdict: 'too-little-data' }, { verdict: 'inconclusive' }],
  [
    'annotations',
    { judgement: { series: [{ ...KEPT, verdict: 'too-little-data' }, { verdict: 'same' }], neighbours: [] } },
    { verdict_details: { series: [{ ...KEPT, verdict: 'inconclusive' }, { verdict: 'same' }], neighbors: [] } },
  ],
  [
    'monitors',
    { definition: { ...KEPT, aplQuery: OF_ANNOTATIONS, annotationType: 'seen-release' } },
    { definition: { ...KEPT, aplQuery: RENAMED, annotationType: 'detected-release' } },
  ],
  ['monitors', { definition: { ...KEPT, aplQuery: OF_EVENTS } }, { definition: { ...KEPT, aplQuery: OF_EVENTS } }],
  ['saved_views', { definition: { ...KEPT, marksQuery: OF_EVENTS } }, { definition: { ...KEPT, annotationsQuery: OF_EVENTS } }],
  [
    'saved_views',
    { definition: { hiddenTypes: ['deploy', 'seen-release'], charts: [{ aplQuery: OF_ANNOTATIONS }] } },
    { definition: { hiddenTypes: ['deploy', 'detected-release'], charts: [{ aplQuery: RENAMED }] } },
  ],
  ['saved_queries', { query: asked(OF_ANNOTATIONS) }, { query: asked(RENAMED) }],
  ['saved_queries', { query: asked(OF_EVENTS) }, { query: asked(OF_EVENTS) }],
  ['notifiers', { definition: { ...KEPT, types: ['seen-release'] } }, { definition: { ...KEPT, types: ['detected-release'] } }],
  [
    'outbox',
    { notifier: '10', notice: { annotation: { ...KEPT, type: 'seen-release', verdict: 'too-little-data' } } },
    { notifier: '10', notice: { annotation: { ...KEPT, type: 'detected-release', verdict: 'inconclusive' } } },
  ],
]
const toCells = (row: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, typeof cell === 'string' ? cell : JSON.stringify(cell)]))

places.each((at) => {
  test('the first start renames them, and leaves what people wrote and how their datasets are called', async () => {
    await at.records.transaction(async (db) => {
      await sql`alter table annotations rename column verdict_details to judgement`.execute(db)
      for (const [id, [table, before]] of ROWS.entries()) await insertRow(db, table, { ...toCells(before), id: `${id}` })
      await sql`alter table datasets drop column indexed_fields`.execute(db)
      await sql`alter table datasets drop column strict_time`.execute(db)
      await sql`delete from kysely_migration where name >= '0014-standard-names'`.execute(db)
    })
    const { read } = await at.again()
    for (const [id, [table, , after]] of ROWS.entries()) {
      const { rows } = await sql`select * from ${sql.table(table)} where id = ${`${id}`}`.execute(read)
      expect(rows).toEqual([expect.objectContaining(toCells(after))])
    }
  })
})
