/**
 * Draws what the query of a monitor's form would have found lately, with the threshold. A button starts it, because it runs a query.
 */
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import type { Monitor } from '@deployment-annotations/contract/monitor'
import { useMemo, useState } from 'preact/hooks'
import { view } from '../address/navigation.ts'
import { formatRange, type Range } from '../address/range.ts'
import { Chart } from '../chart/chart.tsx'
import { buildFrame, readRanks } from '../chart/frame.ts'
import { Failure } from '../parts/failure.tsx'
import { useLoad } from '../parts/use-load.ts'
import type { FormView } from '../resources/fields.ts'
import { queryTables } from '../service/query.ts'
import { may } from '../service/session.ts'
import { chartQuery, withThreshold } from './chart-query.ts'

const MINUTES_MIN = 180
/** Nobody could tell more of them apart. */
const RANGES_SHOWN = 36

interface Asked {
  apl: string
  range: Range
}

export function Preview({ texts: { type, aplQuery = '', rangeMinutes, threshold = '' } }: FormView) {
  const [asked, setAsked] = useState<Asked>()
  const minutes = Number(rangeMinutes)
  if (!may('query|read')) return null
  const ask = () => {
    const endMs = Date.now()
    const startMs = endMs - Math.max(MINUTES_MIN, RANGES_SHOWN * minutes) * UNIT_MS.m
    setAsked({ apl: chartQuery({ type: type as Monitor['type'], aplQuery, rangeMinutes: minutes }), range: { startMs, endMs } })
  }
  return (
    <section class="preview" aria-label="Preview">
      <div class="row">
        <button type="button" disabled={aplQuery.trim() === '' || !(minutes >= 1)} onClick={ask}>
          Preview
        </button>
        <span class="hint">What it would have found lately.</span>
      </div>
      {asked && (
        <Answered
          asked={asked}
          threshold={type === 'MatchEvent' || threshold === '' ? Number.NaN : Number(threshold)}
          onRange={(range) => setAsked({ ...asked, range })}
        />
      )}
    </section>
  )
}

interface AnsweredProps {
  asked: Asked
  /** NaN if there is no threshold. */
  threshold: number
  onRange: (range: Range) => void
}

function Answered({ asked: { apl, range }, threshold, onRange }: AnsweredProps) {
  const { data, error, isLoading } = useLoad((signal) => queryTables({ apl, ...formatRange(range) }, signal), [apl, range], apl)
  const [table] = data?.tables ?? []
  const built = useMemo(() => table && buildFrame(table, range, readRanks(apl)), [data])
  const frame = useMemo(() => built && withThreshold(built, threshold), [built, threshold])
  return (
    <div aria-busy={isLoading}>
      <Failure error={error} />
      {!data && isLoading && <p class="hint">Loading…</p>}
      {data && !frame && (
        <p class="hint">
          What this query finds is not drawn over time: end it with summarize or count, or group it by bin(_time, …).
        </p>
      )}
      {frame && (
        <Chart
          label="the preview"
          frame={frame}
          range={range}
          marks={[]}
          selected={[]}
          zone={view.value.zone}
          onRange={onRange}
          onSelect={() => undefined}
          onMark={() => undefined}
        />
      )}
    </div>
  )
}
