/**
 * `['_annotations']`: annotations as rows of a query, in the words that they are listed with; `_time` is their `time`. A query
 * reads those whose span touches its range, also where the span began before it.
 */
import type { GivenRows } from '@deployment-annotations/apl/compile'
import { UNIT_NS } from '@deployment-annotations/contract/duration'
import type { StoredAnnotation } from '@deployment-annotations/records/annotation-records'
import { type Annotations, LIST_PERMISSION } from '../annotations/annotations.ts'
import { clampInstant } from '../annotations/wire.ts'
import type { RecordSource, SourceRow } from './record-sources.ts'

const COLUMNS: GivenRows['columns'] = new Map([
  ['createdAt', 'datetime'],
  ['createdBy', 'string'],
  ['datasets', 'array'],
  ['description', 'string'],
  ['endTime', 'datetime'],
  ['id', 'string'],
  ['title', 'string'],
  ['type', 'string'],
  ['url', 'string'],
])

export function createAnnotationSource(annotations: Pick<Annotations, 'list'>): RecordSource {
  return {
    name: '_annotations',
    plural: 'annotations',
    permission: LIST_PERMISSION,
    columns: COLUMNS,
    // A range without an instant has no rows.
    async *read({ range: { startNs, endNs }, limit }) {
      if (startNs === endNs) return
      // The end of a query's range is not part of it, that of a list's is.
      const filter = { startNs: clampInstant(startNs), endNs: clampInstant(endNs - 1n), ...(limit && { datasets: limit }) }
      for await (const page of annotations.list(filter)) yield page.map(rowOf)
    },
  }
}

function rowOf({ id, timeNs, createdAtMs, createdBy, ...content }: StoredAnnotation): SourceRow {
  const { datasets, description, endTimeNs, title, type, url } = content
  const createdAtNs = BigInt(createdAtMs) * UNIT_NS.ms
  return { timeNs, id, cells: [createdAtNs, createdBy, datasets, description, endTimeNs, id, title, type, url] }
}
