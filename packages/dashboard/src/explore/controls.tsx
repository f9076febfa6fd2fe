/** The controls of Explore besides those of every page of charts: the datasets or the query, the environment, and how results are shown. */
import './controls.css'
import { navigate, view } from '../address/navigation.ts'
import { ANYWHERE } from '../address/view.ts'
import { laterEditor } from '../charts/later-parts.ts'
import { writeAsked } from '../charts/use-answer.ts'
import type { Explored } from '../charts/use-explored.ts'
import { useLostFocus } from '../parts/focus.ts'
import { later } from '../parts/later.tsx'
import { PickMenu } from '../parts/pick-menu.tsx'
import { CheckMenu } from '../parts/toggle.tsx'
import { DisplayMenu } from './display-menu.tsx'

const laterSavedViews = later(async () => (await import('../saved-views/saved-views.tsx')).SavedViews)

interface ControlsProps {
  explored: Explored
  isWriting: boolean
  setWriting: (isWriting: boolean) => void
}

/** What is looked at: the datasets, unless a query names them, and the environment. */
export function Subject({ explored, isWriting, isHome }: Omit<ControlsProps, 'setWriting'> & { isHome: boolean }) {
  const { names, picked, isListing, errors, environment, environments } = explored
  return (
    <>
      {!isWriting && (
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
      )}
      {environments.length > 0 && (
        <PickMenu
          name="Environment"
          value={environment}
          options={[[ANYWHERE, 'All environments'], ...environments.map((name) => [name, name] as const)]}
          onPick={(to) => navigate({ environment: to }, true)}
        />
      )}
    </>
  )
}

export function More({ explored, isWriting, setWriting }: ControlsProps) {
  const { fields } = view.value
  const { range, charted, answered } = explored
  const queryButton = useLostFocus<HTMLButtonElement>(isWriting ? 1 : 0)
  return (
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
      {range && <DisplayMenu range={range} answered={answered} />}
      <laterSavedViews.View charted={charted} />
    </>
  )
}

export function Editor({ explored, setWriting }: Omit<ControlsProps, 'isWriting'>) {
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
        onRun={(text) => {
          // Going back to a view without a query closes the editor, too.
          setWriting(false)
          // The sorting of another query means nothing to this one.
          if (text === apl) refresh()
          else navigate({ apl: text, sort: [] })
        }}
        onCancel={cancel}
        onClose={() => {
          setWriting(false)
          navigate({ apl: '', sort: [] })
        }}
      />
      {queryError !== undefined && isStale && <p class="hint">The result below is from the previous query.</p>}
    </>
  )
}
