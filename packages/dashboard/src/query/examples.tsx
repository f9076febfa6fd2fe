/** Example queries of an existing dataset. */
import { quoteName } from './name.ts'

interface ExamplesProps {
  dataset: string
  onTake: (query: string) => void
}

export function Examples({ dataset, onTake }: ExamplesProps) {
  const of = quoteName(dataset)
  const examples = [
    ['Events over time', `${of}\n| summarize count() by bin_auto(_time)`],
    ['The newest events', `${of}\n| sort by _time desc\n| limit 100`],
    ['How many there are', `${of}\n| count`],
  ] as const
  return (
    <div class="row query-examples">
      <span class="hint">Start with:</span>
      {examples.map(([name, query]) => (
        <button key={name} type="button" onClick={() => onTake(query)}>
          {name}
        </button>
      ))}
    </div>
  )
}
