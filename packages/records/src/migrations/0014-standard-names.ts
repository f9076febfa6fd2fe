/**
 * Renames what this version calls by the words of its field: the column with the details of a verdict, a verdict, the type of detected
 * releases and a member of saved views, also in messages that wait and in queries of annotations. Events are not touched.
 */
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../schema/tables.ts'

type Words = readonly [from: string, to: string]

const COLUMN: Words = ['judgement', 'verdict_details']
const VERDICT: Words = ['too-little-data', 'inconclusive']
const TYPE: Words = ['seen-release', 'detected-release']
const QUERY_WORDS: readonly Words[] = [VERDICT, TYPE, ['undoneBy', 'rolledBackBy']]
const SOURCE = '_annotations'
/** Members of definitions that hold a query, a type of annotations, or a list of types. */
const QUERY_MEMBERS = new Set(['aplQuery', 'annotationsQuery'])
const TYPE_MEMBERS = new Set(['annotationType', 'hiddenTypes', 'types'])

export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .alterTable('annotations')
    .renameColumn(...COLUMN)
    .execute()
  await db.updateTable('annotations').set({ verdict: VERDICT[1] }).where('verdict', '=', VERDICT[0]).execute()
  await db.updateTable('annotations').set({ type: TYPE[1] }).where('type', '=', TYPE[0]).execute()
  await replaceIn(db, ['annotations', 'verdict_details'], asMember('verdict', VERDICT))
  await replaceIn(db, ['annotations', 'verdict_details'], ['"neighbours":', '"neighbors":'])
  await replaceIn(db, ['outbox', 'notice'], asMember('verdict', VERDICT))
  await replaceIn(db, ['outbox', 'notice'], asMember('type', TYPE))
  await replaceIn(db, ['saved_views', 'definition'], ['"marksQuery":', '"annotationsQuery":'])
  for (const words of QUERY_WORDS) await replaceIn(db, ['saved_queries', 'query'], words, SOURCE)
  for (const table of ['monitors', 'notifiers', 'saved_views'] as const) await renameInDefinitions(db, table)
}

/** In JSON. A text that a person wrote never looks like it, because its quotation marks have a backslash before them. */
const asMember = (name: string, [from, to]: Words): Words => [`"${name}":"${from}"`, `"${name}":"${to}"`]

/** @param about only texts with these words are changed */
async function replaceIn(db: Kysely<Tables>, place: Words, [from, to]: Words, about = from): Promise<void> {
  const [table, text] = [sql.table(place[0]), sql.ref(place[1])]
  const pattern = `%${about.replaceAll('_', '\\_')}%`
  await sql`update ${table} set ${text} = replace(${text}, ${from}, ${to}) where ${text} like ${pattern} escape '\\'`.execute(db)
}

async function renameInDefinitions(db: Kysely<Tables>, table: 'monitors' | 'notifiers' | 'saved_views'): Promise<void> {
  const renameType = (type: unknown) => (type === TYPE[0] ? TYPE[1] : type)
  const renameInQuery = (query: string) => QUERY_WORDS.reduce((text, words) => text.replaceAll(...words), query)
  for (const { id, definition } of await db.selectFrom(table).select(['id', 'definition']).execute()) {
    const renamed: unknown = JSON.parse(definition, (member, value: unknown) => {
      if (QUERY_MEMBERS.has(member)) return String(value).includes(SOURCE) ? renameInQuery(String(value)) : value
      if (TYPE_MEMBERS.has(member)) return Array.isArray(value) ? value.map(renameType) : renameType(value)
      return value
    })
    await db
      .updateTable(table)
      .set({ definition: JSON.stringify(renamed) })
      .where('id', '=', id)
      .execute()
  }
}
