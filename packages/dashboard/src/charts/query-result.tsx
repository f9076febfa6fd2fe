/** The result of a typed query: a chart with annotations, numbers, a list, a table, or events counted over time. */
import type { Vitals } from '@deployment-annotations/compare/vitals'
import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { view } from '../address/navigation.ts'
import type { Range } from '../address/range.ts'
import { buildFrame, type Frame, hasValues, readRanks } from '../chart/frame.ts'
import type { CellActs } from '../query/cell-acts.tsx'
import { ResultNumber } from '../query/number-list.tsx'
import { ResultNotes } from '../query/result-notes.tsx'
import { ResultTable } from '../query/result-table.tsx'
import { kindOf } from '../query/shown-as.ts'
import type { SortedBy } from '../query/sorting.ts'
import type { TabularAnswer } from '../service/query.ts'
import { CountChart, type DatasetChartProps } from './dataset-chart.tsx'
import type { Display } from './display.ts'
import { earlierRange, whenOf, withEarlier } from './earlier.ts'
import { useVisible } from './find-marks.ts'
import { TimeChart } from './time-chart.tsx'
import { emptyFrame } from './vitals.ts'

interface QueryResultProps extends Omit<DatasetChartProps, 'dataset' | 'hasEvents' | 'filters'>, SortedBy {
  apl: string
  answer: TabularAnswer
  display: Display
  /** Whether it is the answer to something else than what is asked now. */
  isStale?: boolean
  /** The answer for the earlier time that it is compared with. */
  earlier: TabularAnswer | undefined
  /** The actions on its values; absent for none. */
  acts?: CellActs | undefined
  /** Names the chart if there are several. */
  label?: string
}

/** @param annotations all annotations of the range; a chart shows those of the query's datasets */
export function QueryResult(props: QueryResultProps) {
  const { answer, earlier, display, acts, label, sort, onSort, isStale } = props
  const when = whenOf(view.value.compare)
  return (
    <section class={isStale ? 'is-stale' : ''} aria-label={label === undefined ? 'Result' : `Result of ${label}`}>
      {display.kind === 'number' ? (
        <ResultNumber answer={answer} earlier={earlier} when={when} unit={display.unit} />
      ) : display.kind === 'table' ? (
        <ResultTable answer={answer} acts={acts} unit={display.unit} sort={sort} onSort={onSort} />
      ) : kindOf(answer) === 'series' ? (
        <SeriesResult {...props} />
      ) : (
        <CountedRows {...props} />
      )}
    </section>
  )
}

/** Of the rows of a query nothing is known but how many there are. */
const COUNTED: Vitals = {}

/** Counts the rows over time; the list of events below shows the rows. */
function CountedRows({ apl, answer, earlier: _, display: _display, annotations, label = LABEL, ...rest }: QueryResultProps) {
  const visible = useVisible(answer.datasetNames, annotations)
  return (
    <>
      <CountChart {...rest} label={label} annotations={visible} apl={apl} vitals={COUNTED} />
      <ResultNotes status={answer.status} />
    </>
  )
}

function SeriesResult({ apl, answer, earlier, display, annotations, label = LABEL, ...rest }: QueryResultProps) {
  const { version: _version, onFailure: _onFailure, acts, sort, onSort, ...chart } = rest
  const { compare } = view.value
  const visible = useVisible(answer.datasetNames, annotations)
  const frame = useMemo(() => {
    const now = frameOf(apl, answer, chart.range) ?? { ...emptyFrame(chart.range), series: [] }
    const before = earlierRange(chart.range, compare)
    const both = withEarlier(now, earlier && before && frameOf(apl, earlier, before), compare)
    return { ...both, panes: [{ name: '', unit: display.unit, figure: '' }] }
  }, [answer, earlier, compare, display.unit])
  const lack = lackOf(answer, frame)
  return (
    <>
      <TimeChart
        {...chart}
        label={label}
        annotations={visible}
        frame={frame}
        when={whenOf(compare)}
        isVitals={false}
        lack={lack}
        foot={
          <AsTable key={lack} isOpen={lack === UNDRAWN}>
            <ResultTable answer={answer} acts={acts} sort={sort} onSort={onSort} />
          </AsTable>
        }
      />
      <ResultNotes status={answer.status} />
    </>
  )
}

/** A closed table is not rendered: it may have a thousand rows. */
function AsTable({ isOpen: isOpenFirst, children }: { isOpen: boolean; children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(isOpenFirst)
  return (
    <details class="as-table" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>As a table</summary>
      {isOpen && children}
    </details>
  )
}

const LABEL = 'The query'

function frameOf(apl: string, { tables: [table] }: TabularAnswer, range: Range): Frame | undefined {
  return table && buildFrame(table, range, readRanks(apl))
}

const UNDRAWN = 'These values cannot be drawn over time: they are in the table below.'

function lackOf({ tables: [table] }: TabularAnswer, frame: Frame): string {
  if (hasValues(frame)) return ''
  return table?.columns[0]?.length ? UNDRAWN : 'No data: nothing in this range matches the query.'
}
