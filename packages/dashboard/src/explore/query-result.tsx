/** What a typed query answers: a chart with annotations, figures, a table, or events counted over time. */
import { useMemo } from 'preact/hooks'
import { visibleOn } from '../annotations/visible.ts'
import { buildFrame, type Frame, hasValues, readRanks } from '../chart/frame.ts'
import { kindOf } from '../query/result-kind.ts'
import { ResultNotes } from '../query/result-notes.tsx'
import { ResultNumber } from '../query/result-number.tsx'
import { ResultTable } from '../query/result-table.tsx'
import type { TabularAnswer } from '../service/query.ts'
import type { Range } from '../view/range.ts'
import { CountChart, type DatasetChartProps, emptyFrame } from './dataset-chart.tsx'
import { earlierRange, shiftOf, withEarlier } from './earlier.ts'
import { TimeChart } from './time-chart.tsx'

interface QueryResultProps extends Omit<DatasetChartProps, 'dataset' | 'hasEvents' | 'filters'> {
  apl: string
  answer: TabularAnswer
  /** To the same query, over the earlier time that it is compared with. */
  earlier: TabularAnswer | undefined
  /** Of its chart, where there are several. */
  label?: string
}

/** @param annotations all there are in the range; a chart shows those of the query's datasets */
export function QueryResult({
  apl,
  answer,
  earlier,
  annotations,
  hidden,
  version,
  onFailure,
  compare,
  label = '',
  ...chart
}: QueryResultProps) {
  const kind = kindOf(answer)
  const visible = useMemo(
    () => visibleOn(answer.datasetNames, annotations, hidden),
    [answer, annotations, hidden.hiddenDatasets, hidden.hiddenTypes],
  )
  const frame = useMemo(() => {
    const now = frameOf(apl, answer, chart.range)
    const shiftMs = shiftOf(compare)
    if (!now || !earlier || shiftMs === undefined) return now ?? emptyFrame(chart.range)
    return withEarlier(now, frameOf(apl, earlier, earlierRange(chart.range, shiftMs)), compare)
  }, [answer, earlier, compare])
  const lack = kind === 'series' ? lackOf(answer, frame) : ''
  const marked = { ...chart, label: label || 'The query', annotations: visible }
  return (
    <section aria-label={label === '' ? 'Result' : `Result of ${label}`}>
      {kind === 'series' && (
        <>
          <TimeChart {...marked} frame={frame} isCount={false} lack={lack} />
          <ResultNotes status={answer.status} />
          <details key={lack} class="as-table" open={lack === UNDRAWN}>
            <summary>As a table</summary>
            <ResultTable answer={answer} utc={chart.utc} />
          </details>
        </>
      )}
      {kind === 'rows' && hasTime(answer) && (
        <CountChart {...marked} apl={apl} version={version} onFailure={onFailure} compare={compare} />
      )}
      {kind === 'number' && <ResultNumber answer={answer} />}
      {(kind === 'table' || (kind === 'rows' && !hasTime(answer))) && <ResultTable answer={answer} utc={chart.utc} />}
    </section>
  )
}

function frameOf(apl: string, { tables: [table] }: TabularAnswer, range: Range): Frame | undefined {
  return table && buildFrame(table, range, readRanks(apl))
}

const UNDRAWN = 'These values cannot be drawn over time: they are in the table below.'

function lackOf({ tables: [table] }: TabularAnswer, frame: Frame): string {
  if (hasValues(frame)) return ''
  return table?.columns[0]?.length ? UNDRAWN : 'No data: nothing in this range matches the query.'
}

/** @returns whether the answer is rows that have their time, so that they can be charted and listed by it */
export function hasTimedRows(answer: TabularAnswer): boolean {
  return kindOf(answer) === 'rows' && hasTime(answer)
}

function hasTime({ tables: [table] }: TabularAnswer): boolean {
  return table?.fields.some(({ name }) => name === '_time') ?? false
}
