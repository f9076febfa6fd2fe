/** The four metrics of delivery, each with what it means, and a chart of the days where there is one. */
import type { Delivery, Releases } from '@deployment-annotations/contract/release'
import { roundDuration } from '../annotations/verdict.ts'

type Days = Releases['days']

interface Metric extends Omit<BarsProps, 'days'> {
  name: string
  figure: string
  meaning: string
  /** Whether there is no chart of it. */
  isUnknown?: boolean
}

function listMetrics({ deployments, perDay, failed, failureRate, leadMs, restoreMs }: Delivery): Metric[] {
  const often = perDay >= 1 ? `${perDay} a day` : `${Number((perDay * 7).toPrecision(2))} a week`
  return [
    {
      name: 'Deployment frequency',
      figure: deployments === 0 ? 'none' : often,
      meaning: `${deployments} deployments. Failed and canceled ones and rollbacks do not count.`,
      amountOf: (day) => day.deployments,
      format: String,
    },
    {
      name: 'Change failure rate',
      figure: failureRate === null ? '–' : `${Math.round(failureRate * 100)} %`,
      meaning: `${failed} failed: the verdict is worse or gone, the release was rolled back, or the job failed.`,
      isBad: failed > 0,
      amountOf: (day) => day.failed,
      format: String,
    },
    {
      name: 'Time to restore',
      ...durationOf(restoreMs),
      meaning: 'The median time until incidents ended, and until harmful releases were rolled back or fixed.',
      amountOf: (day) => day.restoreMs,
    },
    {
      name: 'Change lead time',
      ...durationOf(leadMs),
      meaning: 'The median time from the commit to the end of the release, if the description has a line “Committed: <time>”.',
      amountOf: (day) => day.leadMs,
    },
  ]
}

function durationOf(ms: number | null) {
  return { figure: ms === null ? '–' : roundDuration(ms), isUnknown: ms === null, format: roundDuration }
}

export function DeliveryMetrics({ total, before, days }: Pick<Releases, 'total' | 'before' | 'days'>) {
  const earlier = listMetrics(before)
  return (
    <section class="delivery" aria-label="Delivery">
      {listMetrics(total).map(({ name, figure, meaning, isUnknown, ...bars }, at) => (
        <div key={name} class="card metric">
          <h3>{name}</h3>
          <p class={`figure ${bars.isBad ? 'is-bad' : ''}`}>{figure}</p>
          {!isUnknown && <Bars {...bars} days={days} />}
          <p class="hint">
            {meaning} Before: {earlier[at]?.figure}.
          </p>
        </div>
      ))}
    </section>
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
