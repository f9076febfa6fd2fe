/**
 * Renames what this version calls by the words of its field: the column with the details of a verdict, a verdict, the type of detected
 * releases and a member of saved views, also in messages that wait and in queries of annotations. Events are not touched.
 */
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables.ts'

const VERDICT = ['too-little-data', 'inconclusive'] as const
const TYPE = ['seen-release', 'detected-release'] as const
const COLUMN = ['judgement', 'verdict_details'] as const

/** Members of JSON: what a person wrote never looks like one, because its quotation marks have a backslash before them. */
const MEMBERS = [
  ['annotations', 'verdict_details', ...VERDICT.map((word) => `"verdict":"${word}"`)],
  ['outbox', 'notice', ...VERDICT.map((word) => `"verdict":"${word}"`)],
  ['outbox', 'notice', ...TYPE.map((word) => `"type":"${word}"`)],
  ['saved_views', 'definition', '"marksQuery":', '"annotationsQuery":'],
] as const
/** Where queries are stored, and the words of a query of annotations. */
const QUERIES = [
  ['monitors', 'definition'],
  ['saved_views', 'definition'],
  ['saved_queries', 'query'],
] as const
const QUERY_WORDS = [VERDICT, TYPE, ['undoneBy', 'rolledBackBy']] as const
/** Members that hold a type of annotations, or a list of them. */
const TYPE_MEMBERS = new Set(['annotationType', 'hiddenTypes', 'types'])

export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .alterTable('annotations')
    .renameColumn(...COLUMN)
    .execute()
  for (const [column, [from, to]] of [
    ['verdict', VERDICT],
    ['type', TYPE],
  ] as const)
    await db.updateTable('annotations').set(column, to).where(column, '=', from).execute()
  for (const [table, column, from = '', to = ''] of MEMBERS) await replaceIn(db, [table, column], [from, to], from)
  for (const place of QUERIES) for (const words of QUERY_WORDS) await replaceIn(db, place, words, '_annotations')
  for (const table of ['monitors', 'notifiers', 'saved_views'] as const) await renameTypes(db, table)
}

/** Gives a table without rows its earlier form. */
export async function down({ schema }: Kysely<Tables>): Promise<void> {
  const [before, after] = COLUMN
  await schema.alterTable('annotations').renameColumn(after, before).execute()
}

/** @param about replaces only in texts with these words */
async function replaceIn(
  db: Kysely<Tables>,
  [table, column]: readonly [string, string],
  [from, to]: readonly [string, string],
  about: string,
) {
  const text = sql.ref(column)
  await sql`update ${sql.table(table)} set ${text} = replace(${text}, ${from}, ${to})
    where ${text} like ${`%${about.replaceAll('_', '\\_')}%`} escape '\\'`.execute(db)
}

async function renameTypes(db: Kysely<Tables>, table: 'monitors' | 'notifiers' | 'saved_views'): Promise<void> {
  const [from, to] = TYPE
  const rename = (type: unknown) => (type === from ? to : type)
  const naming = db.selectFrom(table).select(['id', 'definition']).where('definition', 'like', `%"${from}"%`)
  for (const { id, definition } of await naming.execute()) {
    const renamed: unknown = JSON.parse(definition, (member, value: unknown) =>
      TYPE_MEMBERS.has(member) ? (Array.isArray(value) ? value.map(rename) : rename(value)) : value,
    )
    await db
      .updateTable(table)
      .set({ definition: JSON.stringify(renamed) })
      .where('id', '=', id)
      .execute()
  }
}
