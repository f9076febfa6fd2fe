/** The fields of the charted datasets; each opens to its most frequent values. */
import './fields.css'
import { cutText } from '@deployment-annotations/contract/text'
import { useState } from 'preact/hooks'
import type { Range } from '../address/range.ts'
import { ColumnButton } from '../events/column-button.tsx'
import { Revealed } from '../events/revealed.tsx'
import { Failure } from '../parts/failure.tsx'
import { Search } from '../parts/search.tsx'
import { showName } from '../query/name.ts'
import { FieldValues } from './field-values.tsx'
import { type ListedField, useFields } from './use-fields.ts'

interface FieldListProps {
  datasets: readonly string[]
  range: Range
  /** A new number reloads the fields. */
  version: number
  /** Whether the events are listed, so that a field can be a column. */
  hasList: boolean
}

/** People find a field faster by typing than in a longer list. */
const FIELDS_SHOWN = 200
const NAME_POINTS_MAX = 80

export function FieldList({ datasets, range, version, hasList }: FieldListProps) {
  const { fields, error, isLoading } = useFields(datasets, version)
  const [words, setWords] = useState('')
  const found = findFields(fields, words)
  const shown = found.slice(0, FIELDS_SHOWN)
  return (
    <section class="card stack field-list" aria-label="Fields" aria-busy={isLoading}>
      <div class="row">
        <h2>Fields</h2>
        <span class="hint" role="status">
          {countText(found.length, fields.length, isLoading)}
        </span>
      </div>
      <Search name="Find a field" placeholder="Find a field" value={words} onText={setWords} />
      <Failure error={error} />
      <ul>
        {shown.map((field) => (
          <Entry key={field.name} field={field} range={range} hasList={hasList} />
        ))}
      </ul>
      {shown.length < found.length && <p class="hint">The first {FIELDS_SHOWN}. Type a part of a name to find others.</p>}
    </section>
  )
}

interface EntryProps extends Pick<FieldListProps, 'range' | 'hasList'> {
  field: ListedField
}

function Entry({ field, range, hasList }: EntryProps) {
  const { name, types, isVirtual } = field
  const [isOpen, setOpen] = useState(false)
  return (
    <li>
      <div class="field-head">
        <button type="button" class="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Revealed class="field-name" text={cutText(showName(name), NAME_POINTS_MAX)} />{' '}
          <span class="field-type">{types.join(' or ')}</span>
        </button>
        {hasList && !isVirtual && <ColumnButton field={name} />}
      </div>
      {isOpen && <FieldValues field={field} range={range} />}
    </li>
  )
}

function findFields(fields: readonly ListedField[], words: string): readonly ListedField[] {
  const wanted = words.toLowerCase().trim()
  return wanted === '' ? fields : fields.filter(({ name }) => showName(name).toLowerCase().includes(wanted))
}

function countText(found: number, all: number, isLoading: boolean): string {
  if (all === 0) return isLoading ? 'Loading…' : 'none'
  return found === all ? String(all) : `${found} of ${all}`
}
