/** The head of a table, whose last column may have the actions on each row. */

interface TableHeadProps {
  names: readonly string[]
  /** Those of the columns that have numbers. */
  numbers?: readonly string[]
  /** What the actions are, for screen readers; absent without such a column. */
  acts?: string
}

export function TableHead({ names, numbers = [], acts }: TableHeadProps) {
  return (
    <thead>
      <tr>
        {names.map((name) => (
          <th key={name} scope="col" class={numbers.includes(name) ? 'number' : undefined}>
            {name}
          </th>
        ))}
        {acts !== undefined && (
          <th scope="col">
            <span class="visually-hidden">{acts}</span>
          </th>
        )}
      </tr>
    </thead>
  )
}
