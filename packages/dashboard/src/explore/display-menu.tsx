/** The menu of how results are shown: with what they are compared, as which kind, in which intervals and in which unit. */
import { VALUE_UNITS } from '@deployment-annotations/contract/unit'
import { describeDuration } from '../address/format-time.ts'
import { navigate, view } from '../address/navigation.ts'
import { formatStep, listSteps, type Range } from '../address/range.ts'
import { type Answered, listChoices } from '../charts/display.ts'
import { EARLIER, whenOf } from '../charts/earlier.ts'
import { Menu } from '../parts/menu.tsx'
import { Select } from '../parts/select.tsx'
import { KIND_NAMES } from '../query/shown-as.ts'

const AUTOMATIC = ['', 'automatic'] as const

interface DisplayMenuProps {
  range: Range
  /** Absent for the charts of datasets. */
  answered: Answered | undefined
}

export function DisplayMenu({ range, answered }: DisplayMenuProps) {
  const { compare, bin, unit } = view.value
  const { kinds, hasBin, hasUnit } = listChoices(answered)
  const [usual, ...others] = kinds
  const kind = others.find((one) => one === view.value.kind) ?? ''
  const words = [kind && KIND_NAMES[kind].toLowerCase(), whenOf(compare)].filter(Boolean).join(', ')
  const choices = [
    { name: 'compare', label: 'Compare with', value: compare, options: EARLIER, isOffered: true },
    {
      name: 'kind',
      label: 'Show as',
      value: kind,
      options: [['', KIND_NAMES[usual]] as const, ...others.map((one) => [one, KIND_NAMES[one]] as const)],
      isOffered: others.length > 0,
    },
    {
      name: 'bin',
      label: 'Intervals',
      value: bin,
      options: [AUTOMATIC, ...listSteps(range).map((step) => [formatStep(step), describeDuration(step)] as const)],
      isOffered: hasBin,
    },
    {
      name: 'unit',
      label: 'Unit',
      value: unit,
      options: [AUTOMATIC, ...VALUE_UNITS.map((one) => [one, one] as const)],
      isOffered: hasUnit,
    },
  ]
  const offered = choices.filter(({ isOffered }) => isOffered)
  return (
    <Menu summary={words ? 'Display:' : 'Display'} value={words || undefined}>
      <div class="card wide stack display-menu">
        {offered.map(({ name, label, value, options }) => (
          <label key={name} for={`display-${name}`} class="stack">
            {label}
            <Select id={`display-${name}`} value={value} options={options} onPick={(to) => navigate({ [name]: to }, true)} />
          </label>
        ))}
      </div>
    </Menu>
  )
}
