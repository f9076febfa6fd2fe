/**
 * A dataset as the service holds it while it runs, and what it shows of it.
 */
import type { FieldTree } from './field-tree.ts'

export interface Dataset {
  name: string
  /** Table of its events. */
  table: string
  description: string
  createdAtMs: number
  updatedAtMs: number
  /** Id of the token that made it. */
  createdBy: string
  /** 0: for ever. */
  retentionDays: number
  fields: FieldTree
  /** Types that are known here and not yet on disk, by field name; saved before the rows that have them. */
  unsaved: Map<string, number>
  /** `new`: only named by requests under way, nothing of it is on disk. */
  state: 'new' | 'live' | 'gone'
}
