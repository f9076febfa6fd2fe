/** The toggles that hide annotations by dataset and type, and the choice of the types' colors. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { useState } from 'preact/hooks'
import { navigate, view } from '../address/navigation.ts'
import { chooseColor, PALETTE, paletteColor, slotOf, styleOf } from '../address/type-colors.ts'
import { toggle } from '../address/view.ts'
import { Toggle } from '../parts/toggle.tsx'
import { countBy } from './visible.ts'

function ColorPicker({ type }: { type: string }) {
  const [isOpen, setOpen] = useState(false)
  const pick = (slot?: number) => {
    chooseColor(type, slot)
    setOpen(false)
  }
  return (
    <>
      <button type="button" class="quiet type-color" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span class="swatch" style={styleOf(type)} />
        <span class="visually-hidden">Color of {type}</span>
      </button>
      {isOpen && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
        <div class="colors" role="group" aria-label={`Colors for ${type}`}>
          {PALETTE.map((name, slot) => (
            <button
              key={name}
              type="button"
              aria-label={name}
              title={name}
              aria-pressed={slotOf(type) === slot}
              style={{ background: paletteColor(slot) }}
              onClick={() => pick(slot)}
            />
          ))}
          <button type="button" class="own-color" onClick={() => pick()}>
            Default color
          </button>
        </div>
      )}
    </>
  )
}

interface TogglesProps {
  /** The charted datasets. */
  datasets: readonly string[]
  annotations: readonly Annotation[]
}

export function Toggles({ datasets, annotations }: TogglesProps) {
  const counts = new Map(countBy(annotations, (annotation) => annotation.datasets))
  const here = annotations.filter((annotation) => annotation.datasets.some((name) => datasets.includes(name)))
  const counted = new Map(countBy(here, ({ type }) => [type]))
  // A hidden type keeps its toggle even if no annotation has it: otherwise nobody could show it again.
  const types = [...new Set([...counted.keys(), ...view.value.hiddenTypes])].sort()
  return (
    <div class="toggles">
      {datasets.length > 0 && (
        <fieldset>
          <legend>Datasets</legend>
          {datasets.map((name) => (
            <HideToggle key={name} list="hiddenDatasets" name={name} count={counts.get(name)} />
          ))}
        </fieldset>
      )}
      {types.length > 0 && (
        <fieldset>
          <legend>Types</legend>
          {types.map((type) => (
            <span key={type} class="type">
              <HideToggle list="hiddenTypes" name={type} count={counted.get(type)} />
              <ColorPicker type={type} />
            </span>
          ))}
        </fieldset>
      )}
    </div>
  )
}

interface HideToggleProps {
  list: 'hiddenDatasets' | 'hiddenTypes'
  name: string
  count: number | undefined
}

function HideToggle({ list, name, count = 0 }: HideToggleProps) {
  const hidden = view.value[list]
  return (
    <Toggle isOn={!hidden.includes(name)} onChange={() => navigate({ [list]: toggle(hidden, name) }, true)}>
      <span class="clip">{name}</span> <span class="count">{count.toLocaleString('en')}</span>
    </Toggle>
  )
}
