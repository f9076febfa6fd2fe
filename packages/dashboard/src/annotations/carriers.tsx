/** Where the new errors are: the values that carry them, each a button that filters, and the way to the requests that failed. */
import { isNamedIn } from '@deployment-annotations/compare/neighbors'
import { formatValue, joinValues, nameOf } from '@deployment-annotations/compare/words'
import type { Annotation, VerdictDetails } from '@deployment-annotations/contract/annotation'
import { useState } from 'preact/hooks'
import { toggle } from '../address/view.ts'
import { filterDataset, filterQuery } from '../filters/filtered.ts'
import { Failure } from '../parts/failure.tsx'
import { useLoad } from '../parts/use-load.ts'
import { ViewLink } from '../parts/view-link.tsx'
import { queryTables } from '../service/query.ts'
import { titleOf } from './annotation-view.ts'
import { type Carrier, carriersAtFirst, countStored, describeFailing, type Series, viewOfFailing } from './failing-requests.ts'

interface CarriersProps {
  annotation: Annotation
  details: Pick<VerdictDetails, 'series' | 'windows'>
}

export function Carriers({ annotation, details: { series, windows } }: CarriersProps) {
  const shown = series
    .map((one) => ({ ...one, carriers: one.carriers.filter(({ value }) => !isNamedIn(titleOf(annotation), value)) }))
    .filter(({ failing, carriers }) => failing || carriers.length > 0)
  return (
    <>
      {shown.map((one) => (
        <section key={one.name} class="carriers" aria-label={headingOf(one, series)}>
          {one.carriers.length > 0 && <h3>{headingOf(one, series)}</h3>}
          {one.failing ? (
            <Failing
              annotation={annotation}
              one={one}
              after={windows.after}
              isFirst={one === shown.find(({ failing }) => failing)}
            />
          ) : (
            one.carriers.map((carrier) => (
              <p key={carrier.field} class="carrier">
                <CarrierText {...carrier} />
              </p>
            ))
          )}
        </section>
      ))}
    </>
  )
}

/** A metric of another dataset is named with it. */
function headingOf(one: Series, all: readonly Series[]): string {
  const [metric, where = ''] = nameOf(one, all).split(/(?= of )/)
  return one.failing ? `Where the new errors${where} are` : `Where ${metric}${where} changed`
}

interface FailingProps {
  annotation: Annotation
  one: Series
  after: VerdictDetails['windows']['after']
  isFirst: boolean
}

function Failing({ annotation, one, after, isFirst }: FailingProps) {
  // By field, because the carriers are read anew with each refresh.
  const [fields, setFields] = useState(() => carriersAtFirst(one, annotation).map(({ field }) => field))
  const pressed = one.carriers.filter(({ field }) => fields.includes(field))
  const to = viewOfFailing(one, after, pressed)
  const stored = countStored(one, pressed, annotation)
  const listed = to.apl ? filterQuery(to.apl, to.filters) : filterDataset(to.datasets[0] ?? '', to.filters, true)
  const apl = `${listed}\n| summarize count()`
  const ask = async (signal: AbortSignal) => (await queryTables({ apl, ...after }, signal)).tables[0]?.columns[0]?.[0]
  const { data, error, isLoading } = useLoad(stored === undefined ? ask : undefined, [apl, stored], apl)
  const count = stored ?? (isLoading || data === undefined ? undefined : Number(data))
  return (
    <>
      {one.carriers.map((carrier) => (
        <button
          key={carrier.field}
          type="button"
          class="carrier"
          aria-pressed={fields.includes(carrier.field)}
          onClick={() => setFields(toggle(fields, carrier.field))}
        >
          <CarrierText {...carrier} />
        </button>
      ))}
      <Failure error={error} />
      <ViewLink to={to} class={isFirst ? 'button primary' : 'button'} aria-busy={isLoading}>
        See the {describeFailing(one, count)}
      </ViewLink>
    </>
  )
}

function CarrierText({ field, value, before, after }: Carrier) {
  const [was, is] = [before, after].map((rate) => formatValue(rate, { kind: 'count' })) as [string, string]
  return (
    <>
      <span>
        {field} <strong>{value}</strong>
      </span>
      <span>{before === 0 ? `new, ${is}` : joinValues(was, ' → ', is)}</span>
    </>
  )
}
