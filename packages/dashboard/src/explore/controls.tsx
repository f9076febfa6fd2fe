/** What is asked of the service: the datasets or a query, and the range of time. All of it is written to the page's address. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { navigate, view } from '../address/navigation.ts'
import { laterEditor } from '../charts/later-parts.ts'
import { writeAsked } from '../charts/use-answer.ts'
import type { Explored } from '../charts/use-explored.ts'
import { useLostFocus } from '../parts/use-lost-focus.ts'
import { unfinished } from '../query/unfinished.ts'
import { PageRange } from '../range/page-range.tsx'
import { SavedViews } from '../saved-views/saved-views.tsx'
import { DatasetPicker } from './dataset-picker.tsx'

export function Controls({ explored }: { explored: Explored }) {
  const { apl, fields } = view.value
  const { names, picked, range, refresh, isListing, errors } = explored
  const [isWriting, setWriting] = useState(apl !== '' || unfinished.isThere())
  // Going back to a view without a query closes the editor, too.
  const before = useRef(apl)
  useEffect(() => {
    if (before.current !== apl) setWriting(apl !== '')
    before.current = apl
  }, [apl])
  const queryButton = useLostFocus<HTMLButtonElement>(isWriting ? 1 : 0)
  return (
    <>
      <div class="row controls">
        <div class="row">
          {!isWriting && (
            <>
              <DatasetPicker
                datasets={names}
                picked={picked}
                without={isListing ? '…' : errors.length > 0 ? '?' : 'none'}
                onChange={(list) => navigate({ datasets: list })}
              />
              <button
                type="button"
                ref={queryButton}
                onPointerEnter={laterEditor.prefetch}
                onFocus={laterEditor.prefetch}
                onClick={() => setWriting(true)}
              >
                Query
              </button>
            </>
          )}
          <button type="button" aria-pressed={fields} onClick={() => navigate({ fields: !fields }, true)}>
            Fields
          </button>
          <SavedViews charted={explored.charted} />
        </div>
        <PageRange range={range} onRefresh={refresh} />
      </div>
      {isWriting && (
        <laterEditor.View
          apl={apl}
          isRunning={explored.isRunning}
          error={explored.queryError}
          datasets={names}
          asAsked={(text) => writeAsked(text, view.value, range)}
          // What another query was sorted by means nothing to this one.
          onRun={(text) => (text === apl ? refresh() : navigate({ apl: text, sort: [] }))}
          onCancel={explored.cancel}
          onClose={() => {
            setWriting(false)
            navigate({ apl: '', sort: [] })
          }}
        />
      )}
    </>
  )
}
