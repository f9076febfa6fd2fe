/** The page without monitors: it says what one is for and has an example to start with. */

import type { NewMonitor } from '@deployment-annotations/contract/monitor'
import { Code } from '../parts/code.tsx'
import { useLoad } from '../parts/use-load.ts'
import { quoteName } from '../query/name.ts'
import type { NoneProps } from '../resources/resource.ts'
import { datasetRequests, listFields } from '../service/datasets.ts'
import { may } from '../service/session.ts'

type Example = Pick<NewMonitor, 'name' | 'aplQuery' | 'operator' | 'threshold'> & { marks: string }

export function NoMonitors({ onStart }: NoneProps) {
  const { data, isLoading } = useLoad(may('datasets|read') ? findExample : undefined, [])
  const { marks, ...example } = data ?? exampleOf('web', true)
  return (
    <section class="card no-monitors" aria-busy={isLoading}>
      <h2>No monitors yet</h2>
      <p>
        A monitor runs a query at an interval. While the answer is beyond a threshold, there is an annotation on the charts of its
        datasets: it starts when the threshold is crossed, and ends when all is well again. This one would mark the time during
        which {marks}:
      </p>
      <Code>{example.aplQuery}</Code>
      {onStart ? (
        <button type="button" onClick={() => onStart(example)}>
          Start with this example
        </button>
      ) : (
        <p class="hint">The token that you are signed in with may not create one: it lacks the permission monitors|create.</p>
      )}
    </section>
  )
}

/** @returns an example for an existing dataset; if the dataset has the status of responses, the example is about those */
async function findExample(signal: AbortSignal): Promise<Example> {
  const datasets = await datasetRequests.list(signal)
  for (const { name } of datasets.slice(0, DATASETS_LOOKED_AT)) {
    const fields = await listFields(name, signal)
    if (fields.some((field) => field.name === 'status' && /integer|float/.test(field.type))) return exampleOf(name, true)
  }
  const [first] = datasets
  return exampleOf(first?.name ?? 'web', first === undefined)
}

const DATASETS_LOOKED_AT = 5

function exampleOf(dataset: string, hasStatus: boolean): Example {
  const of = quoteName(dataset)
  if (!hasStatus)
    return {
      name: `No events in ${dataset}`,
      aplQuery: `${of}\n| summarize count()`,
      operator: 'Below',
      threshold: 1,
      marks: 'no event arrives for five minutes',
    }
  return {
    name: 'Many server errors',
    aplQuery: `${of}\n| where status >= 500\n| summarize count()`,
    operator: 'Above',
    threshold: 10,
    marks: 'there are more than 10 server errors in five minutes',
  }
}
