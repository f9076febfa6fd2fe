/** Where the new errors are: the values that carry them, each a button that filters, and the way to the requests that failed. */
import { isNamedIn } from '@deployment-annotations/compare/neighbors'
import { formatValue, joinValues, nameOf } from '@deployment-annotations/compare/words'
import type { Annotation, VerdictDetails } from '@deployment-annotations/contract/annotation'
import { useState } from 'preact/hooks'
import { toggle } from '../address/view.ts'
import { ViewLink } from '../parts/view-link.tsx'
import { titleOf } from './annotation-view.ts'
import { type Carrier, carriersAtFirst, countStored, describeFailing, type Series, viewOfFailing } from './failing-requests.ts'

interface CarriersProps {
  annotation: Annotation
  details: Pick<VerdictDetails, 'series' | 'windows'>
}

export function Carriers({ annotation, details }: CarriersProps) {
  const shown = details.series
    .map((one) => ({ ...one, carriers: one.carriers.filter(({ value }) => !isNamedIn(titleOf(annotation), value)) }))
    .filter(({ failing, carriers }) => failing || carriers.length > 0)
  return shown.map((one) => <CarriersOf key={one.name} annotation={annotation} details={details} one={one} />)
}

function CarriersOf({ annotation, details: { series, windows }, one }: CarriersProps & { one: Series }) {
  // By field, because the carriers are read anew with each refresh.
  const [fields, setFields] = useState(() => carriersAtFirst(one, annotation).map(({ field }) => field))
  const pressed = one.carriers.filter(({ field }) => fields.includes(field))
  const heading = headingOf(one, series)
  return (
    <section class="carriers" aria-label={heading}>
      {one.carriers.length > 0 && <h3>{heading}</h3>}
      {one.carriers.map((carrier) =>
        one.failing ? (
          <button
            key={carrier.field}
            type="button"
            class="carrier"
            aria-pressed={fields.includes(carrier.field)}
            onClick={() => setFields(toggle(fields, carrier.field))}
          >
            <CarrierText {...carrier} />
          </button>
        ) : (
          <p key={carrier.field} class="carrier">
            <CarrierText {...carrier} />
          </p>
        ),
      )}
      {one.failing && (
        <ViewLink to={viewOfFailing(one, windows.after, pressed)} class="button">
          See the {describeFailing(one, countStored(one, pressed, annotation))}
        </ViewLink>
      )}
    </section>
  )
}

/** A metric of another dataset is named with it. */
function headingOf(one: Series, all: readonly Series[]): string {
  const [metric, where = ''] = nameOf(one, all).split(/(?= of )/)
  return one.failing ? `Where the new errors${where} are` : `Where ${metric}${where} changed`
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
