/** What the page says before there is a monitor: what one is for, and an example to begin with. */
import type { NewMonitor } from '@deployment-annotations/contract/monitor'

const EXAMPLE: Pick<NewMonitor, 'name' | 'aplQuery' | 'operator' | 'threshold'> = {
  name: 'Many server errors',
  aplQuery: "['web']\n| where status >= 500\n| summarize count()",
  operator: 'Above',
  threshold: 10,
}

/** @param onBegin absent for a token that may not create one */
export function NoMonitors({ onBegin }: { onBegin: ((draft: typeof EXAMPLE) => void) | undefined }) {
  return (
    <section class="card no-monitors">
      <h2>No monitors yet</h2>
      <p>
        A monitor asks a query at an interval. While the answer is beyond a threshold, there is an annotation on the charts of its
        datasets: it begins when the threshold is crossed, and ends when things are well again. This one would mark the time
        during which there are more than {EXAMPLE.threshold} server errors in five minutes:
      </p>
      <pre>{EXAMPLE.aplQuery}</pre>
      {onBegin ? (
        <button type="button" onClick={() => onBegin(EXAMPLE)}>
          Begin with this example
        </button>
      ) : (
        <p class="hint">The token that you are signed in with may not create one: it lacks the permission monitors|create.</p>
      )}
    </section>
  )
}
