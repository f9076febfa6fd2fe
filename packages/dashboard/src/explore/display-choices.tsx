/** The choices of how results are shown: the kind, the intervals and the unit, and the earlier time they are compared with. */
import { describeDuration } from '../address/format-time.ts'
import { navigate, view } from '../address/navigation.ts'
import { chosenStep, formatStep, listSteps, parseStep, type Range } from '../address/range.ts'
import { UNIT_NAMES } from '../address/unit.ts'
import type { Choices } from '../charts/display.ts'
import { EARLIER } from '../charts/earlier.ts'
import { Select } from '../parts/select.tsx'
import { Checks } from '../parts/toggle.tsx'
import { chooseKind, KIND_NAMES } from '../query/shown-as.ts'

interface DisplayChoicesProps {
  range: Range
  choices: Choices
}

export function DisplayChoices({ range, choices: { kinds, bin, hasUnit } }: DisplayChoicesProps) {
  const { compare, kind, unit } = view.value
  return (
    <>
      <label for="compare-with" class="stack">
        Compare with
        <Select id="compare-with" value={compare} options={EARLIER} onPick={(to) => navigate({ compare: to }, true)} />
      </label>
      {kinds.length > 1 && (
        <Checks
          legend="Show as"
          oneOf="result-kind"
          options={kinds.map((one) => [one, KIND_NAMES[one]] as const)}
          chosen={[chooseKind(kind, kinds)]}
          onPick={(to) => navigate({ kind: to === kinds[0] ? '' : to }, true)}
        />
      )}
      {bin === 'open' && <BinPicker range={range} />}
      {typeof bin === 'number' && (
        <p class="hint">
          Intervals of {describeDuration(bin)}, as the query says. With <code>bin_auto(_time)</code> you choose them here.
        </p>
      )}
      {hasUnit && (
        <label for="display-unit" class="stack">
          Unit
          <Select
            id="display-unit"
            value={unit}
            options={[['', 'automatic'], ...UNIT_NAMES]}
            onPick={(to) => navigate({ unit: to }, true)}
          />
        </label>
      )}
    </>
  )
}

function BinPicker({ range }: { range: Range }) {
  const { bin } = view.value
  const own = parseStep(bin)
  const steps = listSteps(range)
  const offered = own === undefined || steps.includes(own) ? steps : [own, ...steps]
  const isTooNarrow = own !== undefined && chosenStep(bin, range) === undefined
  return (
    <label for="display-bin" class="stack">
      Intervals
      <Select
        id="display-bin"
        value={own === undefined ? '' : formatStep(own)}
        options={[['', 'automatic'], ...offered.map((step) => [formatStep(step), describeDuration(step)] as const)]}
        onPick={(to) => navigate({ bin: to }, true)}
      />
      {isTooNarrow && <span class="hint">too narrow for this range, which has more intervals than a screen shows</span>}
    </label>
  )
}
