/** What people tick: a box with its words, a group of them, and a menu of such a group. */
import type { ComponentChildren, InputHTMLAttributes } from 'preact'
import { toggle } from '../address/view.ts'
import { Menu } from './menu.tsx'

interface ToggleProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'checked'> {
  isOn: boolean
}

export function Toggle({ isOn, class: name = '', children, ...input }: ToggleProps) {
  return (
    <label class={`toggle ${name}`}>
      <input {...({ type: 'checkbox', checked: isOn, ...input } as object)} />
      {children}
    </label>
  )
}

interface ChecksProps<Value extends string> {
  legend: ComponentChildren
  class?: string
  options: readonly (readonly [value: Value, words: ComponentChildren])[]
  chosen: readonly string[]
  /** Names the group, if only one of them can be chosen. */
  oneOf?: string | undefined
  /** Whether one can neither be chosen nor given up. */
  isFixed?: (value: Value) => boolean
  onPick: (value: Value) => void
  children?: ComponentChildren
}

/** One of several, or any of them. */
export function Checks<Value extends string>(props: ChecksProps<Value>) {
  const { legend, class: name, options, chosen, oneOf, isFixed = () => false, onPick, children } = props
  return (
    <fieldset class={name}>
      <legend>{legend}</legend>
      {options.map(([value, words]) => (
        <Toggle
          key={value}
          {...(oneOf !== undefined && { type: 'radio', name: oneOf })}
          isOn={chosen.includes(value)}
          aria-disabled={isFixed(value)}
          onClick={(event) => isFixed(value) && event.preventDefault()}
          onChange={() => onPick(value)}
        >
          <span class="clip">{words}</span>
        </Toggle>
      ))}
      {children}
    </fieldset>
  )
}

interface CheckMenuProps extends Pick<ChecksProps<string>, 'isFixed'> {
  name: ComponentChildren
  legend: string
  all: readonly string[]
  /** Those that are chosen, of which an address may have others. */
  picked: readonly string[]
  /** What is said if none is chosen. */
  none: string
  /** What is said in place of the names. */
  words?: string | undefined
  onChange: (picked: string[]) => void
}

export function CheckMenu({ name, legend, all, picked, none, words, onChange, ...checks }: CheckMenuProps) {
  return (
    <Menu summary={name} value={words ?? (picked.length > 0 ? picked.join(', ') : none)}>
      <Checks
        {...checks}
        class="card wide"
        legend={<span class="visually-hidden">{legend}</span>}
        options={[...new Set([...all, ...picked])].map((one) => [one, one])}
        chosen={picked}
        onPick={(one) => onChange(toggle(picked, one))}
      />
    </Menu>
  )
}
