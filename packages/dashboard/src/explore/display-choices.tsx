/** The choices of how results are shown: the kind of chart or list, the intervals, the unit and the scale. */
import { describeDuration } from '../address/format-time.ts'
import { navigate, view } from '../address/navigation.ts'
import { chosenStep, formatStep, listSteps, parseStep, type Range } from '../address/range.ts'
import { UNIT_NAMES } from '../address/unit.ts'
import type { Choices } from '../charts/display.ts'
import { EARLIER } from '../charts/earlier.ts'
import { Select } from '../parts/select.tsx'
import { Checks, Toggle } from '../parts/toggle.tsx'
import { KIND_NAMES } from '../query/shown-as.ts'

interface DisplayChoicesProps {
  range: Range
  choices: Choices
}

export function DisplayChoices({ range, choices: { kinds, bin, hasUnit, isDrawn } }: DisplayChoicesProps) {
  const { compare, kind, unit, logScale, figures } = view.value
  const chosen = kinds.find((one) => one === kind)
  return (
    <>
      <label for="compare-with" class="display-choice">
        Compare with
        <Select id="compare-with" value={compare} options={EARLIER} onPick={(to) => navigate({ compare: to }, true)} />
      </label>
      {kinds.length > 1 && (
        <Checks
          class="display-kinds"
          legend="Show as"
          oneOf="result-kind"
          options={[['', 'Automatic'], ...kinds.map((one) => [one, KIND_NAMES[one]] as const)]}
          chosen={[chosen ?? '']}
          onPick={(to) => navigate({ kind: to }, true)}
        />
      )}
      {bin === 'open' && <BinPicker range={range} />}
      {typeof bin === 'number' && (
        <p class="hint">
          Intervals of {describeDuration(bin)}, as the query says. With <code>bin_auto(_time)</code> you choose them here.
        </p>
      )}
      {hasUnit && (
        <label for="display-unit" class="display-choice">
          Unit
          <Select
            id="display-unit"
            value={unit}
            options={[['', 'automatic'], ...UNIT_NAMES]}
            onPick={(to) => navigate({ unit: to }, true)}
          />
        </label>
      )}
      {isDrawn && (
        <>
          <Toggle isOn={logScale} onChange={() => navigate({ logScale: !logScale }, true)}>
            Logarithmic scale
          </Toggle>
          <Toggle isOn={figures} onChange={() => navigate({ figures: !figures }, true)}>
            Statistics of each series
          </Toggle>
        </>
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
    <label for="display-bin" class="display-choice">
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
