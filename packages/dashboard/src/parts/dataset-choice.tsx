/** Chooses datasets in a form: a checkbox for each existing one, and a field for others. */
import { useId, useState } from 'preact/hooks'
import { splitNames } from './split-names.ts'

interface DatasetChoiceProps {
  legend: string
  /** The existing datasets. */
  datasets: readonly string[]
  /** The chosen datasets, separated by commas. */
  value: string
  hint?: string
  onChange: (value: string) => void
}

/** People find a dataset faster by typing than among more boxes. */
const BOXES_MAX = 40

export function DatasetChoice({ legend, datasets, value, hint, onChange }: DatasetChoiceProps) {
  const id = useId()
  const chosen = splitNames(value)
  const boxes = datasets.slice(0, BOXES_MAX)
  const [others, setOthers] = useState(() => chosen.filter((name) => !boxes.includes(name)).join(', '))
  const change = (picked: readonly string[], text: string) => onChange([...picked, ...splitNames(text)].join(', '))
  const picked = boxes.filter((name) => chosen.includes(name))
  return (
    <fieldset class="dataset-choice" aria-describedby={hint ? `${id}-hint` : undefined}>
      <legend>{legend}</legend>
      <div class="row">
        {boxes.map((name) => (
          <label key={name} class="toggle">
            <input
              type="checkbox"
              checked={picked.includes(name)}
              onChange={({ currentTarget }) =>
                change(
                  boxes.filter((one) => (one === name ? currentTarget.checked : picked.includes(one))),
                  others,
                )
              }
            />
            <span class="clip">{name}</span>
          </label>
        ))}
      </div>
      <label for={id} class="hint">
        Others, separated by commas
      </label>
      <input
        id={id}
        value={others}
        autocomplete="off"
        onInput={({ currentTarget }) => {
          setOthers(currentTarget.value)
          change(picked, currentTarget.value)
        }}
      />
      {hint && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
    </fieldset>
  )
}
