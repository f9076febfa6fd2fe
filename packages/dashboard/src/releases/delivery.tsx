/** The four metrics of delivery, each with what it means, and a chart of the days where there is one. */
import type { Delivery, Releases } from '@deployment-annotations/contract/schemas/release'
import { roundDuration } from '../annotations/verdict.ts'

type Days = Releases['days']

export function DeliveryMetrics({ total, days }: { total: Delivery; days: Days }) {
  const { deployments, perDay, failed, failureRate, leadMs, restoreMs } = total
  const often = perDay >= 1 ? `${perDay} a day` : `${Number((perDay * 7).toPrecision(2))} a week`
  return (
    <section class="delivery" aria-label="Delivery">
      <Metric
        name="Deployment frequency"
        figure={deployments === 0 ? 'none' : often}
        meaning={`${deployments} deployed. Failed, canceled and rollbacks do not count.`}
      >
        <Bars days={days} countOf={({ deployments: count }) => count} />
      </Metric>
      <Metric
        name="Change failure rate"
        figure={failureRate === null ? '–' : `${Math.round(failureRate * 100)} %`}
        meaning={`${failed} failed: worse or gone after it, undone, or failed on the way.`}
        isBad={failed > 0}
      >
        <Bars days={days} countOf={({ failed: count }) => count} isBad />
      </Metric>
      <Metric
        name="Time to restore"
        figure={restoreMs === null ? '–' : roundDuration(restoreMs)}
        meaning="The median of incidents that ended, and of releases until they were undone or fixed."
      />
      <Metric
        name="Change lead time"
        figure={leadMs === null ? '–' : roundDuration(leadMs)}
        meaning="The median from the commit to the end of the release, where a description has a line “Committed: <time>”."
      />
    </section>
  )
}

interface MetricProps {
  name: string
  figure: string
  meaning: string
  isBad?: boolean
  children?: preact.ComponentChildren
}

function Metric({ name, figure, meaning, isBad = false, children }: MetricProps) {
  return (
    <div class="card metric">
      <h3>{name}</h3>
      <p class={`figure ${isBad ? 'is-bad' : ''}`}>{figure}</p>
      {children}
      <p class="hint">{meaning}</p>
    </div>
  )
}

const HEIGHT = 28
const STEP = 8

function Bars({ days, countOf, isBad = false }: { days: Days; countOf: (day: Days[number]) => number; isBad?: boolean }) {
  const highest = Math.max(1, ...days.map(countOf))
  return (
    <svg
      class={`bars ${isBad ? 'is-bad' : ''}`}
      viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`By day: ${days.map((day) => `${day.day}: ${countOf(day)}`).join(', ')}`}
    >
      {days.map((day, at) => {
        const height = (countOf(day) / highest) * (HEIGHT - 2)
        return (
          <rect key={day.day} x={at * STEP + 1} width={STEP - 2} y={HEIGHT - 1 - height} height={height + 1}>
            <title>{`${day.day}: ${countOf(day)}`}</title>
          </rect>
        )
      })}
    </svg>
  )
}
