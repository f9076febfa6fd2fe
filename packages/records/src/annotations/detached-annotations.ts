/**
 * What becomes of annotations when one of their datasets is removed.
 */
import assert from 'node:assert'
import { setImmediate } from 'node:timers/promises'
import { deletedName } from '@deployment-annotations/contract/dataset-name'
import { sql } from 'kysely'
import type { RecordsDatabase } from '../database/records.ts'

const NS_PER_MS = 1_000_000n
/** More are changed by several statements, so that a database of this process does not keep everything else from running. */
const DETACHED_AT_ONCE = 1_000

/**
 * Part of the removal of a dataset: its annotations stay, and say that it was deleted. A dataset of the same name that is made later is
 * another one, and theirs is not its history.
 * @param createdMsMax only annotations that were created by then, and end by then
 */
export async function detachAnnotations(db: RecordsDatabase, name: string, createdMsMax?: bigint): Promise<void> {
  // The lists are replaced as text, in which a name must not end the one before it.
  assert(!/["\\]/.test(name), 'a name of a dataset is the same in JSON')
  const [from, to] = [JSON.stringify(name), JSON.stringify(deletedName(name))]
  for (let after = ''; ; ) {
    let marked = db
      .selectFrom('annotation_datasets')
      .innerJoin('annotations', 'annotations.id', 'annotation_datasets.annotation_id')
      .select('annotation_id')
      .where('dataset', '=', name)
      .where('annotation_id', '>', after)
    if (createdMsMax !== undefined) {
      marked = marked.where('created_at_ms', '<=', createdMsMax).where('until_ns', '<=', createdMsMax * NS_PER_MS)
    }
    const ids = (await marked.orderBy('annotation_id').limit(DETACHED_AT_ONCE).execute()).map((row) => row.annotation_id)
    after = ids.at(-1) ?? ''
    if (ids.length === 0) return
    const datasets = sql<string>`replace(datasets, ${from}, ${to})`
    await db.updateTable('annotations').set({ datasets }).where('id', 'in', ids).execute()
    await db.deleteFrom('annotation_datasets').where('dataset', '=', name).where('annotation_id', 'in', ids).execute()
    await setImmediate()
  }
}
