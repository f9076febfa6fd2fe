/**
 * `['_annotations']`: annotations as rows of a query, in the words that they are listed with, and what follows from those that are
 * releases or incidents, so that a query gives the metrics of delivery.
 */
import { INCIDENT } from '@deployment-annotations/compare/around'
import { ANNOTATION } from '@deployment-annotations/contract/annotation'
import { DELETED_NAME_PATTERN } from '@deployment-annotations/contract/dataset-name'
import { UNIT_NS } from '@deployment-annotations/contract/duration'
import type { Release } from '@deployment-annotations/contract/release'
import { flag, type Members, text, whole } from '@deployment-annotations/contract/schema'
import { clampStorable } from '@deployment-annotations/contract/timestamp'
import type { StoredAnnotation } from '@deployment-annotations/records/annotations/annotation-records'
import { type Annotations, LIST_PERMISSION } from '../../annotations/annotations.ts'
import {
  type AskedRows,
  cellsOf,
  columnsOf,
  type RecordSource,
  SOURCE_ROWS_MAX,
  type SourceRow,
} from '../../query/record-sources.ts'
import { toWire } from '../../wire/annotation.ts'

import { hasFailed, isDeployment, readLead, readRestore } from './delivery.ts'
import { EARLIER_MS } from './list-releases.ts'
import { tellStories } from './stories.ts'

const {
  time: _time,
  isStale: _isStale,
  verdictDetails: _details,
  hurtsNow: _hurts,
  ...MEMBERS
} = ANNOTATION.properties as Members

/** What follows from an annotation: of releases and incidents, and of releases alone. */
const FOLLOWING = { restoreMs: whole(), deployed: flag(), failed: flag(), leadMs: whole(), result: text(), rolledBackBy: text() }
const COLUMNS = columnsOf({ ...MEMBERS, ...FOLLOWING })

interface SourceParts {
  annotations: Pick<Annotations, 'list'>
  /** Says which types are releases. */
  isRelease: (type: string) => boolean
}

export function createAnnotationSource({ annotations, isRelease }: SourceParts): RecordSource {
  return {
    name: '_annotations',
    plural: 'annotations',
    permission: LIST_PERMISSION,
    columns: COLUMNS,
    // A range without an instant has no rows.
    async *read({ range: { startNs, endNs }, limit, mayQuery }) {
      if (startNs === endNs) return
      // The end of a query's range is not part of it, that of a list's is. A rollback undid a release before it.
      const earlierNs = startNs - BigInt(EARLIER_MS) * UNIT_NS.ms
      const filter = { startNs: clampStorable(earlierNs), endNs: clampStorable(endNs - 1n), ...(limit && { datasets: limit }) }
      const isWithin = ({ timeNs, endTimeNs = timeNs, open }: StoredAnnotation) => open || endTimeNs >= startNs
      const rows: StoredAnnotation[] = []
      const before: StoredAnnotation[] = []
      for await (const page of annotations.list(filter)) {
        for (const one of page) (isWithin(one) ? rows : before).push(one)
        // Nobody gets more, so nothing is made of them.
        if (rows.length > SOURCE_ROWS_MAX) break
      }
      const all = [...before, ...rows].map((one) => toWire(one, mayQuery))
      const releases = all.filter(({ type }) => isRelease(type))
      const stories = new Map(tellStories(releases, all).map((one) => [one.annotation.id, one]))
      yield rows.map((one) => rowOf(one, stories.get(one.id), mayQuery))
    },
  }
}

function rowOf(stored: StoredAnnotation, story: Release | undefined, mayQuery: AskedRows['mayQuery']): SourceRow {
  const annotation = story?.annotation ?? toWire(stored, mayQuery)
  const { datasets, type, tags = [] } = annotation
  const restoreMs = story ? story.restoreMs : INCIDENT.test(type) ? readRestore(annotation) : undefined
  const deployed = story && isDeployment(story)
  const cells = cellsOf(COLUMNS, {
    ...annotation,
    datasets: datasets.filter((name) => !DELETED_NAME_PATTERN.test(name)),
    tags,
    restoreMs,
    deployed,
    failed: story && hasFailed(story),
    leadMs: deployed ? readLead(story) : undefined,
    result: story?.result,
    rolledBackBy: story?.rolledBackBy,
  })
  return { timeNs: stored.timeNs, id: stored.id, cells }
}
