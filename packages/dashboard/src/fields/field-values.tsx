/** The most frequent values of a field and their numbers of events; a click keeps or excludes the events with a value. */
import { cutText } from '@deployment-annotations/contract/text'
import { useState } from 'preact/hooks'
import { view } from '../address/navigation.ts'
import { formatRange, type Range } from '../address/range.ts'
import { Revealed } from '../events/revealed.tsx'
import { ValueButtons } from '../filters/value-menu.tsx'
import { Failure } from '../parts/failure.tsx'
import { useLoad } from '../parts/use-load.ts'
import { useRefresh } from '../parts/use-refresh.ts'
import { writeCell } from '../query/cell.ts'
import { showName } from '../query/name.ts'
import { RunningTime } from '../query/result-notes.tsx'
import { queryTables } from '../service/query.ts'
import { type FrequentValue, type ListedField, readValues, VALUES_MAX, VALUES_SHOWN, valuesQuery } from './use-fields.ts'

const VALUE_POINTS_MAX = 120

interface FieldValuesProps {
  field: ListedField
  range: Range
}

export function FieldValues({ field: { name, datasets }, range }: FieldValuesProps) {
  const [wanted, setWanted] = useState(VALUES_SHOWN)
  const [turn, askAgain] = useRefresh()
  const apl = valuesQuery(name, datasets, view.value, wanted)
  const { data, error, isLoading, cancel } = useLoad(
    async (signal) => readValues(await queryTables({ apl, ...formatRange(range) }, signal), wanted),
    [apl, range, turn],
    apl,
  )
  return (
    <div class="field-values" aria-busy={isLoading}>
      <Failure error={error} onRetry={askAgain} />
      {isLoading && (
        <div class="row">
          <RunningTime />
          <button type="button" class="quiet" onClick={cancel}>
            Cancel
          </button>
        </div>
      )}
      {!isLoading && !data && !error && (
        <button type="button" onClick={askAgain}>
          Ask again
        </button>
      )}
      {data?.total === 0 && <p class="hint">There are no events in this range.</p>}
      {data && (
        <ol aria-label={`Values of ${showName(name)}`}>
          {data.values.map((one) => (
            <Value key={`${typeof one.value} ${writeCell(one.value)}`} field={name} type={data.type} one={one} />
          ))}
        </ol>
      )}
      {data?.hasMore && (
        <p class="hint">
          {wanted < VALUES_MAX ? (
            <button type="button" class="quiet" onClick={() => setWanted(VALUES_MAX)}>
              More values
            </button>
          ) : (
            `These are the ${VALUES_MAX} most frequent.`
          )}
        </p>
      )}
    </div>
  )
}

function Value({ field, type, one: { value, count, share } }: { field: string; type: string; one: FrequentValue }) {
  const text = writeCell(value)
  return (
    <li>
      <span class="value-share" style={{ width: `${100 * share}%` }} />
      <ValueButtons field={field} value={value} type={type}>
        <span class="value-text">
          {value === null || value === undefined ? (
            <i>missing</i>
          ) : text === '' ? (
            <i>empty</i>
          ) : (
            <Revealed text={cutText(text, VALUE_POINTS_MAX)} />
          )}
        </span>
      </ValueButtons>
      <span class="value-count">{count.toLocaleString('en')}</span>
      <span class="value-percent">{formatShare(share)}</span>
    </li>
  )
}

/** @returns such as `12 %`; a share above zero is never shown as zero */
function formatShare(share: number): string {
  if (share > 0 && share < 0.01) return '< 1 %'
  return share > 0.99 && share < 1 ? '> 99 %' : `${Math.round(100 * share)} %`
}
