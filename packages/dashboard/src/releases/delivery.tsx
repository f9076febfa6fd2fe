/** The four metrics of delivery, each with its value in the time before, which is as long, and how both times went. */
import { medianOf } from '@deployment-annotations/compare/values'
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import type { Delivery, Releases } from '@deployment-annotations/contract/release'
import { describeDuration } from '../address/format-time.ts'
import { Sparkline } from '../chart/sparkline.tsx'

type Days = Releases['days']

interface Metric {
  name: string
  /** @returns null where nothing is known */
  of: (delivery: Delivery) => number | null
  /** @returns that of several days together; NaN where nothing is known */
  ofDays: (days: Days) => number
  format: (value: number) => string
}

const sumOf = (days: Days, of: 'deployments' | 'failed' | 'attempted') => days.reduce((sum, day) => sum + day[of], 0)

/** Minutes of more hours say nothing. */
const EXACT_MS_MAX = 4 * UNIT_MS.h

const metricOfTime = (name: string, of: 'restoreMs' | 'leadMs'): Metric => ({
  name,
  of: (delivery) => delivery[of],
  ofDays: (days) => medianOf(days.flatMap((day) => day[of] ?? [])),
  format: (ms) => describeDuration(ms < UNIT_MS.m ? ms : ms - (ms % (ms < EXACT_MS_MAX ? UNIT_MS.m : UNIT_MS.h))),
})

const METRICS: readonly Metric[] = [
  {
    name: 'Deployments',
    of: ({ perDay }) => perDay,
    ofDays: (days) => sumOf(days, 'deployments') / days.length,
    format: (perDay) => `${Number(perDay.toPrecision(2))} a day`,
  },
  {
    name: 'Change failure rate',
    of: ({ failureRate }) => failureRate,
    ofDays: (days) => sumOf(days, 'failed') / sumOf(days, 'attempted'),
    format: (rate) => `${Math.round(rate * 100)} %`,
  },
  metricOfTime('Time to restore', 'restoreMs'),
  metricOfTime('Lead time', 'leadMs'),
]

export function DeliveryMetrics({ total, before, days, daysBefore }: Pick<Releases, 'total' | 'before' | 'days' | 'daysBefore'>) {
  return (
    <section class="delivery card" aria-label="Delivery">
      {METRICS.map(({ name, of, ofDays, format }) => {
        const [value, earlier] = [of(total), of(before)]
        const [shown, from] = [value, earlier].map((one) => (one === null ? 'none' : format(one)))
        const isOther = value !== null && earlier !== null && shown !== from
        return (
          <div key={name}>
            <h2>{name}</h2>
            <p class="figure">
              {shown} {isOther && (value > earlier ? '↑' : '↓')}
            </p>
            <p>
              {name === 'Change failure rate' && `${total.failed} of ${total.attempted}, `}from {from}
            </p>
            <Sparkline points={listValues(days, ofDays)} before={listValues(daysBefore, ofDays)} />
          </div>
        )
      })}
    </section>
  )
}

/** A value of so large a part of all days: of one day, a rate is that of a few releases. */
const WINDOW_PART = 1 / 4

/** @returns a value for each whole day, of the days until then; at first, of the first days */
function listValues(days: Days, ofDays: Metric['ofDays']): (number | undefined)[] {
  const whole = days.slice(1, -1)
  const length = Math.ceil(whole.length * WINDOW_PART)
  return whole.map((_, at) => {
    const from = Math.max(0, at + 1 - length)
    const value = ofDays(whole.slice(from, from + length))
    return Number.isFinite(value) ? value : undefined
  })
}
