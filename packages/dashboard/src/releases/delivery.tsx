/** The four metrics of delivery, each with what it means, and a chart of the days where there is one. */
import type { Delivery, Releases } from '@deployment-annotations/contract/release'
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
        meaning={`${deployments} deployments. Failed and canceled ones and rollbacks do not count.`}
      >
        <Bars days={days} amountOf={({ deployments: count }) => count} format={String} />
      </Metric>
      <Metric
        name="Change failure rate"
        figure={failureRate === null ? '–' : `${Math.round(failureRate * 100)} %`}
        meaning={`${failed} failed: the verdict is worse or gone, the release was rolled back, or the job failed.`}
        isBad={failed > 0}
      >
        <Bars days={days} amountOf={({ failed: count }) => count} format={String} isBad />
      </Metric>
      <Metric
        name="Time to restore"
        figure={restoreMs === null ? '–' : roundDuration(restoreMs)}
        meaning="The median time until incidents ended, and until harmful releases were rolled back or fixed."
      >
        {restoreMs !== null && <Bars days={days} amountOf={(day) => day.restoreMs} format={roundDuration} />}
      </Metric>
      <Metric
        name="Change lead time"
        figure={leadMs === null ? '–' : roundDuration(leadMs)}
        meaning="The median time from the commit to the end of the release, if the description has a line “Committed: <time>”."
      >
        {leadMs !== null && <Bars days={days} amountOf={(day) => day.leadMs} format={roundDuration} />}
      </Metric>
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

interface BarsProps {
  days: Days
  /** @returns null where nothing is known */
  amountOf: (day: Days[number]) => number | null
  format: (value: number) => string
  isBad?: boolean
}

function Bars({ days, amountOf, format, isBad = false }: BarsProps) {
  const highest = Math.max(1, ...days.map((day) => amountOf(day) ?? 0))
  const describe = (day: Days[number]) => {
    const value = amountOf(day)
    return `${dateOf(day)}: ${value === null ? 'none' : format(value)}`
  }
  const [first, last] = [days.at(0), days.at(-1)]
  return (
    <>
      <svg
        class={`bars ${isBad ? 'is-bad' : ''}`}
        viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`By day: ${days.map(describe).join(', ')}`}
      >
        {days.map((day, at) => {
          const height = ((amountOf(day) ?? 0) / highest) * (HEIGHT - 2)
          return (
            <rect key={day.day} x={at * STEP + 1} width={STEP - 2} y={HEIGHT - 1 - height} height={height + 1}>
              <title>{describe(day)}</title>
            </rect>
          )
        })}
      </svg>
      {first && last && (
        <p class="hint bars-ends" aria-hidden="true">
          <span>{dateOf(first)}</span>
          <span>max {format(highest)}</span>
          <span>{dateOf(last)}</span>
        </p>
      )}
    </>
  )
}

/** @returns such as `24 Nov` */
function dateOf({ day }: Days[number]): string {
  return new Date(day).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
}
