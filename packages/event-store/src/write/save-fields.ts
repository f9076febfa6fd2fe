/**
 * Saves the new fields of datasets: those that come together in one transaction, because each takes the one lock under which all
 * services change the catalog, and holds it until it is on disk.
 */

import type { Records } from '@deployment-annotations/records/database/records'
import { addFields, type NewFields, type StoredFields } from '@deployment-annotations/records/datasets/dataset-records'
import { Batcher, type BatcherOptions } from '@deployment-annotations/runtime/concurrency/batcher'
import { RECORD_CHANGES } from '@deployment-annotations/runtime/concurrency/bounds'
import { ServiceError } from '@deployment-annotations/runtime/errors'

/** @returns a batcher whose items share a transaction of the records */
export function createRecordBatcher<Item, Result>(work: BatcherOptions<Item, Result>['work']): Batcher<Item, Result> {
  const batchMax = { rows: 500, bytes: Number.POSITIVE_INFINITY }
  return new Batcher({ work, batchMax, bound: RECORD_CHANGES, isPatient: () => true, startsInOwnTurn: true })
}

/** @returns the function that saves types of fields of one dataset. @throws ServiceError `not_found` if the dataset was removed */
export function createFieldSaver(records: Pick<Records, 'transaction'>) {
  const saves = createRecordBatcher(async (added: readonly NewFields[]) => {
    const there = await records.transaction((db) => addFields(db, added))
    return added.map(({ table }) => there.has(table))
  })
  return async (table: string, fields: StoredFields): Promise<void> => {
    if (!(await saves.add({ table, fields }))) throw new ServiceError('not_found', 'the dataset was not found: it was deleted')
  }
}
