/** What the page says before there is a monitor: what one is for, and an example to start from. */
import type { NewMonitor } from '@deployment-annotations/contract/monitor'

const EXAMPLE: Pick<NewMonitor, 'name' | 'aplQuery' | 'operator' | 'threshold'> = {
  name: 'Many server errors',
  aplQuery: "['web']\n| where status >= 500\n| summarize count()",
  operator: 'Above',
  threshold: 10,
}

/** @param onStart absent for a token that may not create one */
export function NoMonitors({ onStart }: { onStart: ((draft: typeof EXAMPLE) => void) | undefined }) {
  return (
    <section class="card no-monitors">
      <h2>No monitors yet</h2>
      <p>
        A monitor runs a query at an interval. While the answer is beyond a threshold, there is an annotation on the charts of its
        datasets: it starts when the threshold is crossed, and ends when all is well again. This one would mark the time during
        which there are more than {EXAMPLE.threshold} server errors in five minutes:
      </p>
      <pre>{EXAMPLE.aplQuery}</pre>
      {onStart ? (
        <button type="button" onClick={() => onStart(EXAMPLE)}>
          Start with this example
        </button>
      ) : (
        <p class="hint">The token that you are signed in with may not create one: it lacks the permission monitors|create.</p>
      )}
    </section>
  )
}
