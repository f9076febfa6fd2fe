/** The controls above the charts: the datasets or the query, the filters, the marks, the display, the range, and the saved views. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { useEffect, useRef, useState } from 'preact/hooks'
import { navigate, view } from '../address/navigation.ts'
import { laterEditor } from '../charts/later-parts.ts'
import { MarksMenu } from '../charts/marks-menu.tsx'
import { writeAsked } from '../charts/use-answer.ts'
import type { Explored } from '../charts/use-explored.ts'
import { FilterChips } from '../filters/filter-chips.tsx'
import { useLostFocus } from '../parts/focus.ts'
import { CheckMenu } from '../parts/toggle.tsx'
import { unfinished } from '../query/written-call.ts'
import { PageRange } from '../range/page-range.tsx'
import { SavedViews } from '../saved-views/saved-views.tsx'
import { DisplayMenu } from './display-menu.tsx'

interface ControlsProps {
  explored: Explored
  /** The annotations that have the words that are searched for. */
  found: readonly Annotation[]
}

/** One row: what is shown on the left, how and when on the right. */
export function Controls({ explored, found }: ControlsProps) {
  const { apl, fields } = view.value
  const { names, picked, range, refresh, isListing, errors, charted, known, answered } = explored
  const [isWriting, setWriting] = useState(apl !== '' || unfinished.isThere())
  // Going back to a view without a query closes the editor, too.
  const before = useRef(apl)
  useEffect(() => {
    if (before.current !== apl) setWriting(apl !== '')
    before.current = apl
  }, [apl])
  const queryButton = useLostFocus<HTMLButtonElement>(isWriting ? 1 : 0)
  const hasCharts = charted.length > 0 || isListing || explored.isRunning || answered !== undefined
  return (
    <>
      <div class="row controls">
        {!isWriting && (
          <CheckMenu
            name={<span class="datasets-word">Datasets:</span>}
            legend="Datasets to chart"
            {...{ picked, all: names }}
            none={isListing ? '…' : errors.length > 0 ? '?' : 'none'}
            // Picking none means the first few datasets, so the last one stays until there is another.
            isFixed={(name) => picked.length === 1 && picked[0] === name}
            onChange={(datasets) => navigate({ datasets })}
          />
        )}
        <FilterChips query={explored.query} />
        {!isWriting && (
          <button
            type="button"
            ref={queryButton}
            onPointerEnter={laterEditor.prefetch}
            onFocus={laterEditor.prefetch}
            onClick={() => setWriting(true)}
          >
            Query
          </button>
        )}
        <button type="button" aria-pressed={fields} onClick={() => navigate({ fields: !fields }, true)}>
          Fields
        </button>
        <SavedViews charted={charted} />
        <span class="row push">
          {hasCharts && <MarksMenu datasets={charted} annotations={known} found={found} />}
          {hasCharts && range && <DisplayMenu range={range} answered={answered} />}
          <PageRange range={range} onRefresh={refresh} />
        </span>
      </div>
      {isWriting && (
        <Editor
          explored={explored}
          onClose={() => {
            setWriting(false)
            navigate({ apl: '', sort: [] })
          }}
        />
      )}
    </>
  )
}

function Editor({ explored, onClose }: Pick<ControlsProps, 'explored'> & { onClose: () => void }) {
  const { apl } = view.value
  const { names, range, refresh, isRunning, isStale, queryError, cancel } = explored
  return (
    <>
      <laterEditor.View
        apl={apl}
        isRunning={isRunning}
        error={queryError}
        datasets={names}
        asAsked={(text) => writeAsked(text, view.value, range)}
        // The sorting of another query means nothing to this one.
        onRun={(text) => (text === apl ? refresh() : navigate({ apl: text, sort: [] }))}
        onCancel={cancel}
        onClose={onClose}
      />
      {queryError !== undefined && isStale && <p class="hint">The result below is from the previous query.</p>}
    </>
  )
}
