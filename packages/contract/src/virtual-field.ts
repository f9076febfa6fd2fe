/**
 * Virtual fields on the wire: expressions that queries of a dataset name like fields. Their schemas are in schemas/virtual-field.ts.
 */
import type { Static } from 'typebox'
import { toSegment } from './path.ts'
import type { NewVirtualFieldSchema, VirtualFieldSchema } from './schemas/virtual-field.ts'

export * from './rules/virtual-field.ts'

export type VirtualField = Static<typeof VirtualFieldSchema>
export type NewVirtualField = Static<typeof NewVirtualFieldSchema>

export const VIRTUAL_FIELDS_PATH = '/v2/vfields'

/** @returns the path of one virtual field, its id escaped */
export function virtualFieldPath(id: string): string {
  return `${VIRTUAL_FIELDS_PATH}/${toSegment(id)}`
}
