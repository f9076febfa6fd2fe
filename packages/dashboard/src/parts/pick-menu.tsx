/** A menu to pick one of a few values from, in place of a list of the browser. */
import { Menu, MenuButton } from './menu.tsx'

interface PickMenuProps<Value extends string> {
  /** Says for screen readers what is picked. */
  name: string
  value: Value
  options: readonly (readonly [value: Value, words: string, ...unknown[]])[]
  onPick: (value: Value) => void
}

export function PickMenu<Value extends string>({ name, value, options, onPick }: PickMenuProps<Value>) {
  const [, words = value] = options.find(([option]) => option === value) ?? []
  return (
    <Menu summary={<span class="visually-hidden">{name}:</span>} value={words}>
      <div class="card pick-menu">
        {options.map(([option, label]) => (
          <MenuButton key={option} aria-pressed={option === value} onClick={() => onPick(option)}>
            {label}
          </MenuButton>
        ))}
      </div>
    </Menu>
  )
}
