/** The controls that filter the list of annotations. The filter is part of the view. */
import { navigate, view } from '../address/navigation.ts'
import type { View } from '../address/view.ts'
import { Search } from '../parts/search.tsx'
import { lastDays, Select } from '../parts/select.tsx'
import { CheckMenu } from '../parts/toggle.tsx'

interface FilterBarProps {
  datasets: readonly string[]
  types: readonly string[]
  /** The ids of each maker, by name. */
  makers: ReadonlyMap<string, readonly string[]>
}

const SINCE = [['', 'any time'] as const, ...[1, 7, 30, 90].map(lastDays)]

const NO_FILTER = { text: '', datasets: [], types: [], createdBy: [], since: '' } satisfies Partial<View>

const filter = (change: Partial<View>) => navigate(change, true)

export function FilterBar({ datasets, types, makers }: FilterBarProps) {
  const shown = view.value
  return (
    <search class="row">
      <label for="annotations-text">Find</label>
      <Search
        id="annotations-text"
        placeholder="words in the title, description or link"
        value={shown.text}
        onText={(text) => filter({ text })}
      />
      <CheckMenu
        {...named('Datasets')}
        all={datasets}
        picked={shown.datasets}
        onChange={(picked) => filter({ datasets: picked })}
      />
      <CheckMenu {...named('Types')} all={types} picked={shown.types} onChange={(picked) => filter({ types: picked })} />
      <MakerMenu makers={makers} />
      <label for="annotations-since">From</label>
      <Select id="annotations-since" value={shown.since} options={SINCE} onPick={(since) => filter({ since })} />
      <button type="button" class="quiet" onClick={() => filter(NO_FILTER)}>
        Clear
      </button>
    </search>
  )
}

const named = (name: string) => ({ name: `${name}:`, legend: `${name} to list`, none: 'all' })

/** People choose names; the address has ids, because names may change. */
function MakerMenu({ makers }: Pick<FilterBarProps, 'makers'>) {
  const { createdBy } = view.value
  const names = [...makers].filter(([, ids]) => ids.some((id) => createdBy.includes(id))).map(([name]) => name)
  const known = new Set([...makers.values()].flat())
  // An address may have ids of makers that have no annotation in the list.
  const others = createdBy.filter((id) => !known.has(id))
  return (
    <CheckMenu
      {...named('Created by')}
      all={[...makers.keys()]}
      picked={[...names, ...others]}
      onChange={(chosen) => filter({ createdBy: chosen.flatMap((name) => makers.get(name) ?? name) })}
    />
  )
}
