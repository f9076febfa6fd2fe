/** Compares an annotation over a time that the reader asks for, beside what the judge said of it. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import { useState } from 'preact/hooks'
import { Failure } from '../parts/failure.tsx'
import { Select } from '../parts/select.tsx'
import { useLoad } from '../parts/use-load.ts'
import { compareAround } from './compare-around.ts'
import { VerdictTable } from './verdict-table.tsx'

const DURING = 'during'
const WINDOWS: readonly [string, string][] = [
  ['', 'choose a time'],
  [String(10 * UNIT_MS.m), '10 minutes after'],
  [String(30 * UNIT_MS.m), '30 minutes after'],
  [String(UNIT_MS.h), '1 hour after'],
  [String(6 * UNIT_MS.h), '6 hours after'],
  [DURING, 'the span itself'],
]

export function BeforeAfter({ annotation }: { annotation: Annotation }) {
  const { id, time, endTime, open } = annotation
  const [windowText, setWindow] = useState('')
  const afterMs = windowText === DURING ? undefined : Number(windowText)
  const { data, error, isLoading } = useLoad(
    windowText === '' ? undefined : (signal) => compareAround(annotation, afterMs, signal),
    [id, time, endTime, windowText],
    `${id} ${windowText}`,
  )
  // Of what goes on there is no time after it.
  const options = WINDOWS.filter(([value]) => value === '' || (value === DURING ? open || endTime !== undefined : !open))
  return (
    <section class="before-after" aria-label="Before and after" aria-busy={isLoading}>
      <div class="row">
        <h3>Compare with before</h3>
        <span class="push">
          <Select name="Time to compare" value={windowText} options={options} onPick={setWindow} />
        </span>
      </div>
      <Failure error={error} />
      {!data && isLoading && <p class="hint">Comparing…</p>}
      {data && <p>{[data.headline, ...data.notes].join('. ')}</p>}
      {data && <VerdictTable details={data} />}
    </section>
  )
}
