/** The most frequent values of a field and their numbers of events; a click keeps or excludes the events with a value. */
import { cutText } from '@deployment-annotations/contract/text'
import { view } from '../address/navigation.ts'
import { formatRange, type Range } from '../address/range.ts'
import { Revealed } from '../events/revealed.tsx'
import { ValueButtons } from '../filters/value-menu.tsx'
import { Failure } from '../parts/failure.tsx'
import { useLoad } from '../parts/use-load.ts'
import { useRefresh } from '../parts/use-refresh.ts'
import { writeCell } from '../query/cell.ts'
import { showName } from '../query/name.ts'
import { queryTables } from '../service/query.ts'
import { type ListedField, readValues, VALUES_MAX, valuesQuery } from './use-fields.ts'

const VALUE_POINTS_MAX = 120

interface FieldValuesProps {
  field: ListedField
  range: Range
}

export function FieldValues({ field, range }: FieldValuesProps) {
  const { name } = field
  const [turn, askAgain] = useRefresh()
  const apl = valuesQuery(field, view.value)
  const { data, error, isLoading } = useLoad(
    async (signal) => readValues(await queryTables({ apl, ...formatRange(range) }, signal)),
    [apl, range, turn],
    apl,
  )
  return (
    <div class="field-values" aria-busy={isLoading}>
      <Failure error={error} onRetry={askAgain} />
      {isLoading && <p class="hint">Loading…</p>}
      {data?.values.length === 0 && <p class="hint">There are no events in this range.</p>}
      {data && (
        <ol aria-label={`Values of ${showName(name)}`}>
          {data.values.map(({ value, count, share }) => (
            <li key={`${typeof value} ${writeCell(value)}`}>
              <span class="value-share" style={{ width: `${100 * share}%` }} />
              <ValueButtons field={name} value={value} type={data.type}>
                <span class="value-text">
                  <Value value={value} />
                </span>
              </ValueButtons>
              <span class="value-count">{count.toLocaleString('en')}</span>
              <span class="value-percent">{formatShare(share)}</span>
            </li>
          ))}
        </ol>
      )}
      {data?.hasMore && <p class="hint">These are the {VALUES_MAX} most frequent.</p>}
    </div>
  )
}

function Value({ value }: { value: unknown }) {
  if (value === null || value === undefined) return <i>missing</i>
  return value === '' ? <i>empty</i> : <Revealed text={cutText(writeCell(value), VALUE_POINTS_MAX)} />
}

/** @returns such as `12 %`; a share above zero is never shown as zero */
function formatShare(share: number): string {
  if (share > 0 && share < 0.01) return '< 1 %'
  return share > 0.99 && share < 1 ? '> 99 %' : `${Math.round(100 * share)} %`
}
