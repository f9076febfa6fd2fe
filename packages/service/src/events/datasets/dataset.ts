/**
 * A dataset as the service holds it while it runs: what is kept of it, its fields, and whether it is there at all.
 */
import type { StoredDataset } from '../../records/dataset-records.ts'
import type { FieldTree } from '../fields/field-tree.ts'
import type { UnsavedFields } from './unsaved-fields.ts'

export interface Dataset extends StoredDataset {
  readonly fields: FieldTree
  /** Types that are known here and not yet on disk; saved before the rows that have them. */
  readonly unsaved: UnsavedFields
  /** `new`: only named by requests under way, nothing of it is on disk. */
  state: 'new' | 'live' | 'gone'
}
