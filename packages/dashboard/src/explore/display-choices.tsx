/** The choices of how results are shown: the kind of chart or list, the intervals, the unit and the scale. */

import { describeDuration } from '../address/format-time.ts'
import { navigate, view } from '../address/navigation.ts'
import { chosenStep, formatStep, listSteps, parseStep, type Range } from '../address/range.ts'
import { UNIT_NAMES } from '../address/unit.ts'
import type { Choices } from '../charts/display.ts'
import { KIND_NAMES } from '../query/shown-as.ts'
import { may } from '../service/session.ts'
import { MarksQuery } from './marks-query.tsx'

export interface DisplayChoicesProps {
  range: Range
  choices: Choices
}

export function DisplayChoices({ range, choices: { kinds, bin, hasUnit, isDrawn } }: DisplayChoicesProps) {
  const { kind, unit, logScale, figures } = view.value
  const chosen = kinds.find((one) => one === kind)
  return (
    <>
      {kinds.length > 1 && (
        <fieldset class="display-kinds">
          <legend>Show as</legend>
          {[undefined, ...kinds].map((one) => (
            <label key={one ?? ''} class="toggle">
              <input
                type="radio"
                name="result-kind"
                checked={one === chosen}
                onChange={() => navigate({ kind: one ?? '' }, true)}
              />
              {one === undefined ? 'What suits it best' : KIND_NAMES[one]}
            </label>
          ))}
        </fieldset>
      )}
      {bin === 'open' && <BinPicker range={range} />}
      {typeof bin === 'number' && (
        <p class="hint">
          Intervals of {describeDuration(bin)}, as the query says. With <code>bin_auto(_time)</code> you choose them here.
        </p>
      )}
      {hasUnit && (
        <label class="display-choice">
          Unit
          <select value={unit} onChange={({ currentTarget }) => navigate({ unit: currentTarget.value }, true)}>
            <option value="">as the service knows it</option>
            {UNIT_NAMES.map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {isDrawn && (
        <>
          <Flag is={logScale} onChange={(to) => navigate({ logScale: to }, true)} text="Logarithmic scale" />
          <Flag is={figures} onChange={(to) => navigate({ figures: to }, true)} text="Figures of each series" />
          {may('query|read') && <MarksQuery />}
        </>
      )}
    </>
  )
}

function Flag({ is, onChange, text }: { is: boolean; onChange: (is: boolean) => void; text: string }) {
  return (
    <label class="toggle">
      <input type="checkbox" checked={is} onChange={() => onChange(!is)} /> {text}
    </label>
  )
}

function BinPicker({ range }: { range: Range }) {
  const { bin } = view.value
  const own = parseStep(bin)
  const steps = listSteps(range)
  const offered = own === undefined || steps.includes(own) ? steps : [own, ...steps]
  const isTooNarrow = own !== undefined && chosenStep(bin, range) === undefined
  return (
    <label class="display-choice">
      Intervals
      <select
        value={own === undefined ? '' : formatStep(own)}
        onChange={({ currentTarget }) => navigate({ bin: currentTarget.value }, true)}
      >
        <option value="">as suits the range</option>
        {offered.map((step) => (
          <option key={step} value={formatStep(step)}>
            {describeDuration(step)}
          </option>
        ))}
      </select>
      {isTooNarrow && <span class="hint">too narrow for this range, which has more intervals than a screen shows</span>}
    </label>
  )
}
