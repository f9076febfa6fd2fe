/** The metrics before and after an annotation: those that were judged, or another comparison if the reader asks for one. */

import type { Annotation } from '@deployment-annotations/contract/annotation'
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import { useState } from 'preact/hooks'
import { Failure } from '../parts/failure.tsx'
import { Select } from '../parts/select.tsx'
import { useLoad } from '../parts/use-load.ts'
import { user } from '../service/session.ts'
import { type Charted, compareAround } from './compare-around.ts'
import { VerdictTable } from './verdict-table.tsx'

interface BeforeAfterProps {
  annotation: Annotation
  charted: readonly Charted[]
  /** Another number compares again. */
  version: number
}

const WINDOWS: readonly [string, string][] = [
  [String(10 * UNIT_MS.m), '10 minutes'],
  [String(30 * UNIT_MS.m), '30 minutes'],
  [String(UNIT_MS.h), '1 hour'],
  [String(6 * UNIT_MS.h), '6 hours'],
]

export function BeforeAfter({ annotation, charted, version }: BeforeAfterProps) {
  const { id, time, endTime, datasets, verdictDetails } = annotation
  const [windowText, setWindow] = useState('')
  const shown = charted.filter((one) => one.datasets.some((name) => datasets.includes(name)))
  const afterMs = windowText === '' ? undefined : Number(windowText)
  const stored = windowText === '' ? verdictDetails : undefined
  const { data, error, isLoading } = useLoad(
    stored || shown.length === 0 || !user.value ? undefined : (signal) => compareAround(annotation, shown, afterMs, signal),
    [id, time, endTime, JSON.stringify(shown), windowText, version, stored !== undefined, user.value],
    `${id} ${windowText}`,
  )
  if (!stored && shown.length === 0) return null
  const first: [string, string] = ['', verdictDetails ? 'as judged' : 'as on the chart']
  return (
    <section class="before-after" aria-label="Before and after" aria-busy={isLoading}>
      <div class="row">
        <h4>Before and after</h4>
        {shown.length > 0 && (
          <span class="push">
            <Select name="Time after it" value={windowText} options={[first, ...WINDOWS]} onPick={setWindow} />
          </span>
        )}
      </div>
      {stored && <VerdictTable details={stored} />}
      {!stored && <Failure error={error} />}
      {!stored && !data && isLoading && <p class="hint">Comparing…</p>}
      {!stored &&
        data?.map(({ when, report }) => (
          <>
            {!(data.length === 1 && when === 'after') && <h5>{HEADINGS[when]}</h5>}
            {verdictDetails && <p class="hint">Compared now, beside the verdict.</p>}
            <VerdictTable key={when} details={report} />
          </>
        ))}
    </section>
  )
}

const HEADINGS = { during: 'During it', after: 'After it' } as const
