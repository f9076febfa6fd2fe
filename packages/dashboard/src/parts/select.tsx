/** A list to pick one value from, whose options are pairs of a value and its name. One that is picked and not among them is listed, too. */

interface SelectProps<Value extends string> {
  id?: string
  /** The name for screen readers of a list without a label. */
  name?: string
  value: Value
  options: readonly (readonly [value: Value, name: string, ...unknown[]])[]
  onPick: (value: Value) => void
}

export function Select<Value extends string>({ id, name, value, options, onPick }: SelectProps<Value>) {
  const isListed = value === '' || options.some(([option]) => option === value)
  return (
    <select id={id} aria-label={name} value={value} onChange={({ currentTarget }) => onPick(currentTarget.value as Value)}>
      {[...options, ...(isListed ? [] : [[value, value] as const])].map(([option, words]) => (
        <option key={option} value={option}>
          {words}
        </option>
      ))}
    </select>
  )
}
