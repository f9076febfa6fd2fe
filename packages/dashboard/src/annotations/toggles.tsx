/** The toggles that hide annotations by dataset and type, and the choice of the types' colors. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { useState } from 'preact/hooks'
import { chooseColor, paletteColor, slotOf, styleOf } from '../address/type-colors.ts'
import { toggle, type View } from '../address/view.ts'
import { countBy } from './visible.ts'

const NAMES: readonly string[] = [
  'amber',
  'green',
  'red',
  'gray',
  'cyan',
  'magenta',
  'olive',
  'blue',
  'violet',
  'pink',
  'teal',
  'brown',
]

function ColorPicker({ type }: { type: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" class="quiet type-color" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span class="swatch" style={styleOf(type)} />
        <span class="visually-hidden">Color of {type}</span>
      </button>
      {isOpen && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
        <div class="colors" role="group" aria-label={`Colors for ${type}`}>
          {NAMES.map((name, slot) => (
            <button
              key={name}
              type="button"
              aria-label={name}
              title={name}
              aria-pressed={slotOf(type) === slot}
              style={{ background: paletteColor(slot) }}
              onClick={() => {
                chooseColor(type, slot)
                setOpen(false)
              }}
            />
          ))}
          <button
            type="button"
            class="own-color"
            onClick={() => {
              chooseColor(type, undefined)
              setOpen(false)
            }}
          >
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
  view: View
  onChange: (change: Partial<View>) => void
}

export function Toggles({ datasets, annotations, view, onChange }: TogglesProps) {
  const counts = new Map(countBy(annotations, (annotation) => annotation.datasets))
  const here = annotations.filter((annotation) => annotation.datasets.some((name) => datasets.includes(name)))
  const counted = new Map(countBy(here, ({ type }) => [type]))
  // A hidden type keeps its toggle even if no annotation has it: otherwise nobody could show it again.
  const types = [...new Set([...counted.keys(), ...view.hiddenTypes])].sort()
  return (
    <div class="toggles">
      {datasets.length > 0 && (
        <fieldset>
          <legend>Datasets</legend>
          {datasets.map((name) => (
            <label key={name} class="toggle">
              <input
                type="checkbox"
                checked={!view.hiddenDatasets.includes(name)}
                onChange={() => onChange({ hiddenDatasets: toggle(view.hiddenDatasets, name) })}
              />
              <span class="clip">{name}</span> <span class="count">{(counts.get(name) ?? 0).toLocaleString('en')}</span>
            </label>
          ))}
        </fieldset>
      )}
      {types.length > 0 && (
        <fieldset>
          <legend>Types</legend>
          {types.map((type) => (
            <span key={type} class="type">
              <label class="toggle">
                <input
                  type="checkbox"
                  checked={!view.hiddenTypes.includes(type)}
                  onChange={() => onChange({ hiddenTypes: toggle(view.hiddenTypes, type) })}
                />
                <span class="clip">{type}</span> <span class="count">{(counted.get(type) ?? 0).toLocaleString('en')}</span>
              </label>
              <ColorPicker type={type} />
            </span>
          ))}
        </fieldset>
      )}
    </div>
  )
}
