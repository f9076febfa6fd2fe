/** The page of all annotations, which are filtered by words, dataset, type, time and maker. Each links to its chart. */
import '../parts/listing.css'
import './all-annotations.css'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { view } from '../address/navigation.ts'
import type { View } from '../address/view.ts'
import { DeleteAnnotation } from '../annotations/delete-annotation.tsx'
import { startOf } from '../annotations/list-annotations.ts'
import { idsByMaker } from '../annotations/made-by.ts'
import { useMakers } from '../annotations/use-makers.ts'
import { countBy } from '../annotations/visible.ts'
import { Failure } from '../parts/failure.tsx'
import { useLostFocus } from '../parts/focus.ts'
import { Pages, usePage } from '../parts/pages.tsx'
import { useLoad } from '../parts/use-load.ts'
import { useRefresh } from '../parts/use-refresh.ts'
import { annotationRequests } from '../service/annotations.ts'
import { AnnotationForm } from './annotation-form.tsx'
import { AnnotationTable } from './annotation-table.tsx'
import { filterAnnotations } from './filter.ts'
import { FilterBar } from './filter-bar.tsx'
import { TimelineChart } from './timeline-chart.tsx'

const PAGE_ROWS = 50
const NONE: readonly Annotation[] = []
const NOBODY: ReturnType<typeof idsByMaker> = new Map()

type OpenDialog = { kind: 'form' | 'delete'; annotation: Annotation }

/** Loads the annotations from the chosen time on and their makers, filters them, and lists what there is to filter by. */
function useListed({ datasets, types, createdBy, text, since }: View, version: number) {
  const { data, error, isLoading } = useLoad(
    (signal) => annotationRequests.list({ start: startOf(since) }, signal),
    [since, version],
  )
  const { makers, error: makersError } = useMakers(version)
  const all = data ?? NONE
  const found = useMemo(
    () => filterAnnotations(all, { datasets, types, createdBy, text }),
    [all, datasets, types, createdBy, text],
  )
  const names = {
    datasets: countBy(all, (annotation) => annotation.datasets).map(([name]) => name),
    types: countBy(all, ({ type }) => [type]).map(([name]) => name),
  }
  return { isLoaded: data !== undefined, all, found, names, makers, error: error ?? makersError, isLoading }
}

export function AllAnnotations() {
  const { datasets, types, createdBy, text, since, zone } = view.value
  const [version, refresh] = useRefresh()
  const [dialog, setDialog] = useState<OpenDialog>()
  const { isLoaded, all, found, names, makers, error, isLoading } = useListed(view.value, version)
  const { page, shown } = usePage(found, PAGE_ROWS)
  useEffect(() => page.onFirst(0), [datasets, types, createdBy, text, since])
  const heading = useLostFocus<HTMLHeadingElement>(found.length)
  const close = () => setDialog(undefined)
  const done = () => {
    close()
    refresh()
  }
  return (
    <div class="all-annotations" aria-busy={isLoading}>
      <h1 ref={heading} tabIndex={-1}>
        Annotations
      </h1>
      <FilterBar {...names} makers={makers ? idsByMaker(all, makers) : NOBODY} />
      <Failure error={error} onRetry={refresh} />
      {!isLoaded && isLoading && <p class="hint">Loading…</p>}
      {isLoaded && (
        <div class="row">
          <Pages
            {...page}
            none={all.length > 0 ? 'No annotations match.' : 'No annotations yet.'}
            order=", newest first"
            words={['Newer', 'Older']}
          />
        </div>
      )}
      <TimelineChart annotations={found} zone={zone} />
      {shown.length > 0 && (
        <AnnotationTable
          annotations={shown}
          makers={makers}
          zone={zone}
          onEdit={(annotation) => setDialog({ kind: 'form', annotation })}
          onDelete={(annotation) => setDialog({ kind: 'delete', annotation })}
        />
      )}
      {dialog?.kind === 'form' && <AnnotationForm draft={dialog.annotation} {...names} onClose={close} onSaved={done} />}
      {dialog?.kind === 'delete' && <DeleteAnnotation annotation={dialog.annotation} onClose={close} onDeleted={done} />}
    </div>
  )
}
