/** The button and the key that ask what changed before the worst moment of the charts. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { useEffect, useRef } from 'preact/hooks'
import { view } from '../address/navigation.ts'
import type { Range } from '../address/range.ts'
import { askWhatChanged, pointedMs, worstMoment } from './moment.ts'

/** Where a letter is written, or something else is to be answered first. */
const TAKES_KEYS = 'input, textarea, select, [contenteditable=true], dialog'

export function WhatChanged({ annotations, range }: { annotations: readonly Annotation[]; range: Range | undefined }) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'c' || event.ctrlKey || event.metaKey || event.altKey) return
      // The editor of queries is in a shadow tree, of which the target is the host.
      const [target] = event.composedPath() as Element[]
      if (target?.closest(TAKES_KEYS)) return
      const ms = pointedMs()
      if (ms === undefined) button.current?.click()
      else askWhatChanged(ms)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
  const { moment, annotations: selected } = view.value
  return (
    <button
      ref={button}
      type="button"
      class="quiet"
      title="Click a moment of a chart, or press C while the pointer is at it"
      aria-keyshortcuts="C"
      hidden={moment !== '' && selected.length === 0}
      onClick={() => range && askWhatChanged(worstMoment(annotations, range, Date.now()))}
    >
      What changed? <kbd>C</kbd>
    </button>
  )
}
