/**
 * Draws what the query of a monitor's form would have found lately, with the threshold. A button starts it, because it runs a query.
 */
import { useMemo, useState } from 'preact/hooks'
import { view } from '../address/navigation.ts'
import { formatRange, type Range } from '../address/range.ts'
import { Chart } from '../chart/chart.tsx'
import { buildFrame, hasValues, readRanks } from '../chart/frame.ts'
import { Failure } from '../parts/failure.tsx'
import { useLoad } from '../parts/use-load.ts'
import type { FormView } from '../resources/fields.ts'
import { queryTables } from '../service/query.ts'
import { may } from '../service/session.ts'
import { chartQuery, countQuery } from './chart-query.ts'
import { ofColumn, previewRange, withThreshold } from './preview-frame.ts'

const NONE: ReadonlySet<string> = new Set()

interface Asked {
  apl: string
  range: Range
}

export function Preview({ texts }: FormView) {
  const [asked, setAsked] = useState<Asked>()
  const { aplQuery = '', threshold = '', columnName = '' } = texts
  const rangeMinutes = Number(texts.rangeMinutes)
  if (!may('query|read')) return null
  const marksEvents = texts.type === 'MatchEvent'
  const ask = () =>
    setAsked({
      apl: marksEvents ? countQuery(aplQuery, rangeMinutes) : chartQuery({ aplQuery, rangeMinutes }),
      range: previewRange(rangeMinutes, Date.now()),
    })
  return (
    <section class="preview" aria-label="Preview">
      <div class="row">
        <button type="button" disabled={aplQuery.trim() === '' || !(rangeMinutes >= 1)} onClick={ask}>
          Preview
        </button>
        <span class="hint">
          {marksEvents
            ? 'How many events it would have marked lately.'
            : 'What the query would have found lately, with the threshold.'}
        </span>
      </div>
      {asked && (
        <Answered
          asked={asked}
          threshold={marksEvents || threshold === '' ? Number.NaN : Number(threshold)}
          column={marksEvents ? '' : columnName}
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
  /** The column that is compared; empty for all. */
  column: string
  onRange: (range: Range) => void
}

function Answered({ asked: { apl, range }, threshold, column, onRange }: AnsweredProps) {
  const { data, error, isLoading } = useLoad((signal) => queryTables({ apl, ...formatRange(range) }, signal), [apl, range], apl)
  const [table] = data?.tables ?? []
  const frame = useMemo(() => table && buildFrame(table, range, readRanks(apl)), [data])
  const drawn = useMemo(() => frame && withThreshold(ofColumn(frame, column), threshold), [frame, column, threshold])
  return (
    <div aria-busy={isLoading}>
      <Failure error={error} />
      {!data && isLoading && <p class="hint">Loading…</p>}
      {data && <p class="hint">{frame ? (hasValues(frame) ? '' : NOTHING) : NOT_OVER_TIME}</p>}
      {drawn && (
        <Chart
          label="the preview"
          frame={drawn}
          range={range}
          marks={[]}
          hidden={NONE}
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

const NOTHING = 'There was nothing to compare in this time.'
const NOT_OVER_TIME =
  'What this query finds is not drawn over time: end it with summarize or count, or group it by bin(_time, …).'
