/**
 * A dataset as the service holds it while it runs: what is kept of it, its fields, and whether it is there at all.
 */

import type { StoredDataset } from '@deployment-annotations/records/dataset-records'
import { quoted, ServiceError } from '@deployment-annotations/runtime/errors'
import type { FieldTree } from '../fields/field-tree.ts'
import type { LayoutKind } from '../schema/field-layout.ts'
import type { UnsavedFields } from './unsaved-fields.ts'

export interface Dataset extends StoredDataset {
  readonly fields: FieldTree
  /** Types that are known here and not yet on disk; saved before the rows that have them. */
  readonly unsaved: UnsavedFields
  /** What its table keeps of fields beside the events, by the field's name: a kind of the store's layouts. */
  readonly layouts: Map<string, LayoutKind>
  /** `new`: only named by requests under way, nothing of it is on disk. */
  state: 'new' | 'live' | 'gone'
  /** Its table is not there: where the files of it are. */
  damagedAt?: string | undefined
}

/** @throws ServiceError `unavailable` where the events of the dataset can neither be read nor added to */
export function requireEvents({ name, damagedAt }: Dataset): void {
  if (damagedAt === undefined) return
  throw new ServiceError(
    'unavailable',
    `the events of the dataset ${quoted(name)} are damaged: their files are in ${damagedAt}; repair or delete the dataset`,
  )
}
