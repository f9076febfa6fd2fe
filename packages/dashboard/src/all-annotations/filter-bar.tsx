/** The controls that filter the list of annotations. The filter is part of the view. */
import { toggle, type View } from '../address/view.ts'
import { Menu } from '../parts/menu.tsx'
import { Select } from '../parts/select.tsx'

interface FilterBarProps {
  view: View
  datasets: readonly string[]
  types: readonly string[]
  /** The ids of each maker, by name. */
  makers: ReadonlyMap<string, readonly string[]>
  onChange: (change: Partial<View>) => void
}

const SINCE: readonly [string, string][] = [
  ['', 'any time'],
  ['now-1d', 'last day'],
  ['now-7d', 'last 7 days'],
  ['now-30d', 'last 30 days'],
  ['now-90d', 'last 90 days'],
]

const NO_FILTER = { text: '', datasets: [], types: [], createdBy: [], since: '' } satisfies Partial<View>

export function FilterBar({ view, datasets, types, makers, onChange }: FilterBarProps) {
  const isOther = !SINCE.some(([since]) => since === view.since)
  return (
    <search class="row">
      <label for="annotations-text">Find</label>
      <input
        id="annotations-text"
        type="search"
        placeholder="words in the title, description or link"
        value={view.text}
        onInput={({ currentTarget }) => onChange({ text: currentTarget.value })}
      />
      <Choice name="Datasets" all={datasets} picked={view.datasets} onChange={(picked) => onChange({ datasets: picked })} />
      <Choice name="Types" all={types} picked={view.types} onChange={(picked) => onChange({ types: picked })} />
      <MakerChoice makers={makers} picked={view.createdBy} onChange={(createdBy) => onChange({ createdBy })} />
      <label for="annotations-since">From</label>
      <Select
        id="annotations-since"
        value={view.since}
        options={isOther ? [...SINCE, [view.since, view.since]] : SINCE}
        onPick={(since) => onChange({ since })}
      />
      <button type="button" class="quiet" onClick={() => onChange(NO_FILTER)}>
        Clear
      </button>
    </search>
  )
}

type MakerChoiceProps = Pick<FilterBarProps, 'makers'> & Pick<ChoiceProps, 'picked' | 'onChange'>

/** People choose names; the address has ids, because names may change. */
function MakerChoice({ makers, picked, onChange }: MakerChoiceProps) {
  const names = [...makers].filter(([, ids]) => ids.some((id) => picked.includes(id))).map(([name]) => name)
  const known = new Set([...makers.values()].flat())
  // An address may have ids of makers that have no annotation in the list.
  const others = picked.filter((id) => !known.has(id))
  return (
    <Choice
      name="Created by"
      all={[...makers.keys()]}
      picked={[...names, ...others]}
      onChange={(chosen) => onChange(chosen.flatMap((name) => makers.get(name) ?? name))}
    />
  )
}

interface ChoiceProps {
  name: string
  all: readonly string[]
  picked: readonly string[]
  onChange: (picked: string[]) => void
}

function Choice({ name, all, picked, onChange }: ChoiceProps) {
  return (
    <Menu
      summary={
        <>
          {name}: <strong class="clip">{picked.length > 0 ? picked.join(', ') : 'all'}</strong>
        </>
      }
    >
      <fieldset class="card">
        <legend class="visually-hidden">{name} to list</legend>
        {[...new Set([...all, ...picked])].map((one) => (
          <label key={one} class="toggle">
            <input type="checkbox" checked={picked.includes(one)} onChange={() => onChange(toggle(picked, one))} />
            <span class="clip">{one}</span>
          </label>
        ))}
      </fieldset>
    </Menu>
  )
}
