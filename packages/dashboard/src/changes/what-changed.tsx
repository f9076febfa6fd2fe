/** The button and the key that ask what changed before the worst moment of the charts. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { useEffect } from 'preact/hooks'
import { view } from '../address/navigation.ts'
import type { Range } from '../address/range.ts'
import { askWhatChanged, worstMoment } from './moment.ts'

/** Where a letter is written, or something else is to be answered first. */
const TAKES_KEYS = 'input, textarea, select, [contenteditable=true], dialog'

export function WhatChanged({ annotations, range }: { annotations: readonly Annotation[]; range: Range | undefined }) {
  const ask = () => range && askWhatChanged(worstMoment(annotations, range, Date.now()))
  useEffect(() => {
    const gone = new AbortController()
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'c' || event.ctrlKey || event.metaKey || event.altKey) return
      // The editor of queries is in a shadow tree, of which the target is the host.
      const [target] = event.composedPath() as Element[]
      if (!target?.closest(TAKES_KEYS)) ask()
    }
    document.addEventListener('keydown', press, { signal: gone.signal })
    return () => gone.abort()
  })
  const { moment, annotations: selected } = view.value
  return (
    <button
      type="button"
      class="quiet"
      title="Click a moment of a chart, or press C"
      aria-keyshortcuts="C"
      hidden={moment !== '' && selected.length === 0}
      onClick={ask}
    >
      What changed? <kbd>C</kbd>
    </button>
  )
}
