/** The controls above the charts: the datasets or the query, the environment, the marks, the filters, and the range. To explore there is more. */
import './controls.css'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { useEffect, useRef, useState } from 'preact/hooks'
import { navigate, view } from '../address/navigation.ts'
import { formatView, placeOf } from '../address/view.ts'
import { Share } from '../annotations/share.tsx'
import { WhatChanged } from '../changes/what-changed.tsx'
import { laterEditor } from '../charts/later-parts.ts'
import { MarksMenu } from '../charts/marks-menu.tsx'
import { writeAsked } from '../charts/use-answer.ts'
import type { Explored } from '../charts/use-explored.ts'
import { FilterChips } from '../filters/filter-chips.tsx'
import { useLostFocus } from '../parts/focus.ts'
import { later } from '../parts/later.tsx'
import { PickMenu } from '../parts/pick-menu.tsx'
import { CheckMenu } from '../parts/toggle.tsx'
import { unfinished } from '../query/written-call.ts'
import { PageRange } from '../range/page-range.tsx'
import { DisplayMenu } from './display-menu.tsx'

const laterSavedViews = later(async () => (await import('../saved-views/saved-views.tsx')).SavedViews)

interface ControlsProps {
  explored: Explored
  /** The annotations that have the words that are searched for. */
  found: readonly Annotation[]
}

/** One row: what is shown on the left, how and when on the right. */
export function Controls({ explored, found }: ControlsProps) {
  const { apl, fields } = view.value
  const { environments, range, refresh, isListing, charted, known, answered } = explored
  const [isWriting, setWriting] = useState(apl !== '' || unfinished.isThere())
  // Going back to a view without a query closes the editor, too.
  const before = useRef(apl)
  useEffect(() => {
    if (before.current !== apl) setWriting(apl !== '')
    before.current = apl
  }, [apl])
  const queryButton = useLostFocus<HTMLButtonElement>(isWriting ? 1 : 0)
  const isHome = placeOf(view.value) === 'home' && !isWriting
  const hasCharts = charted.length > 0 || isListing || explored.isRunning || answered !== undefined
  return (
    <>
      <div class="row controls">
        {!isWriting && <Datasets explored={explored} isHome={isHome} />}
        <Environments names={environments} />
        {hasCharts && <MarksMenu datasets={charted} annotations={known} found={found} />}
        <FilterChips query={explored.query} />
        {!isHome && (
          <>
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
            {hasCharts && range && <DisplayMenu range={range} answered={answered} />}
            <laterSavedViews.View charted={charted} />
          </>
        )}
        <span class="row push">
          <WhatChanged annotations={known} range={range} />
          <PageRange range={range} onRefresh={refresh} />
          <Share key={formatView(view.value)} range={range} datasets={charted} annotations={known} />
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

function Datasets({ explored, isHome }: Pick<ControlsProps, 'explored'> & { isHome: boolean }) {
  const { names, picked, isListing, errors } = explored
  return (
    <CheckMenu
      name={<span class="visually-hidden">Datasets:</span>}
      legend="Datasets to chart"
      {...{ picked, all: names }}
      none={isListing ? '…' : errors.length > 0 ? '?' : 'none'}
      words={isHome && view.value.datasets.length === 0 && names.length > 0 ? 'All services' : undefined}
      // Picking none means the first few datasets, so the last one stays until there is another.
      isFixed={(name) => picked.length === 1 && picked[0] === name}
      onChange={(datasets) => navigate({ datasets })}
    />
  )
}

function Environments({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <PickMenu
      name="Environment"
      value={view.value.environment}
      options={[['', 'All environments'], ...names.map((one) => [one, one] as const)]}
      onPick={(environment) => navigate({ environment }, true)}
    />
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
