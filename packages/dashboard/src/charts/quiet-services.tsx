/** The services that nothing hurts, a line each: what is open there, and errors, traffic and latency as figures with a small line. */
import './quiet-services.css'
import { EVENTS, findVitals } from '@deployment-annotations/compare/vitals'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { navigate, view } from '../address/navigation.ts'
import { isOtherRange, type Range } from '../address/range.ts'
import { type Frame, totalOf } from '../chart/frame.ts'
import { Sparkline } from '../chart/sparkline.tsx'
import { filterDataset } from '../filters/filtered.ts'
import { useLoad } from '../parts/use-load.ts'
import { compareNames } from '../query/name.ts'
import { askVitals, cutsOf, useFieldsOf } from './dataset-chart.tsx'
import { countStep } from './display.ts'
import { type ReportFailure, useReportFailure } from './failures.tsx'
import { listOpen } from './harm.ts'
import { OpenNotes } from './open-notes.tsx'
import { buildVitals } from './vitals.ts'

interface QuietServicesProps {
  names: readonly string[]
  /** Those with events that this token may read. */
  queried: readonly string[]
  /** How many more there are that are not shown. */
  more: number
  annotations: readonly Annotation[]
  range: Range
  /** A new number asks again. */
  version: number
  onFailure: ReportFailure
}

const COLUMNS = [
  ['Errors', 'not known'],
  ['Traffic', 'no events'],
  ['p95', 'no durations'],
] as const

export function QuietServices({ names, queried, more, annotations, range, version, onFailure }: QuietServicesProps) {
  const { bin, filters } = view.value
  const step = countStep(bin, range)
  const known = useFieldsOf(queried)
  const readOne = async (name: string, signal: AbortSignal): Promise<[string, Frame | undefined]> => {
    const apl = filterDataset(name, filters, true)
    const { table } = await askVitals(apl, findVitals(apl, known?.get(name) ?? []), step, range)(signal)
    return [name, table && buildVitals(table, range, { cuts: cutsOf(annotations, name) })]
  }
  const read = async (signal: AbortSignal) => ({
    frames: new Map(await Promise.all(queried.map((name) => readOne(name, signal)))),
    of: range,
  })
  const key = `${queried.join()} ${filters.join()}`
  const { data, error, isLoading } = useLoad(known && read, [key, step, range.startMs, range.endMs, version, known], key)
  useReportFailure(onFailure, 'services', error)
  const sorted = sortServices(names, annotations, data?.frames)
  const isStale = isLoading && data !== undefined && isOtherRange(range, data.of)
  return (
    <section class={isStale ? 'card is-stale' : 'card'} aria-label="Other services" aria-busy={isLoading}>
      <table class="services">
        <thead>
          <tr>
            <th scope="col">Nothing hurts here</th>
            {COLUMNS.map(([name]) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map((name) => (
            <tr key={name}>
              <th scope="row">
                <div>
                  <button type="button" class="plain" onClick={() => navigate({ datasets: [name] })}>
                    {name}
                  </button>
                  <OpenNotes open={listOpen(annotations, [name])} />
                </div>
              </th>
              {COLUMNS.map(([column, lack]) => (
                <Metric
                  key={column}
                  frame={data?.frames.get(name)}
                  name={column}
                  lack={data && queried.includes(name) ? lack : ''}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && <p class="hint">{more.toLocaleString('en')} more are in the menu of datasets.</p>}
    </section>
  )
}

function Metric({ frame, name, lack }: { frame: Frame | undefined; name: string; lack: string }) {
  const at = frame?.panes.findIndex((one) => one.name === name) ?? -1
  const pane = frame?.panes[at]
  const series = frame?.series.find((one) => one.pane === at)
  if (!pane || !series?.points || pane.figure === '') return <td class="hint">{lack}</td>
  return (
    <td>
      <Sparkline points={series.points} /> {pane.figure}
    </td>
  )
}

/** Where something goes on comes first, then where the most is done; what was left open counts for nothing. */
function sortServices(
  names: readonly string[],
  annotations: readonly Annotation[],
  frames: ReadonlyMap<string, Frame | undefined> | undefined,
): string[] {
  const isOpen = (name: string) => listOpen(annotations, [name]).some(({ isStale }) => !isStale)
  const trafficOf = (name: string) => {
    const events = frames?.get(name)?.series.find(({ label }) => label === EVENTS)
    return events ? totalOf(events) : 0
  }
  return names.toSorted(
    (one, other) => Number(isOpen(other)) - Number(isOpen(one)) || trafficOf(other) - trafficOf(one) || compareNames(one, other),
  )
}
