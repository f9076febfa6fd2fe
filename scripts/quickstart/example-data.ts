/**
 * The made-up shop of `npm start`, which keeps sending for as long as it is up: three hours of requests and payments, and a release that
 * hurts since 26 minutes before the start. Twelve minutes after the start another one fixes that. Each start tells this from the beginning.
 */

import type { Client } from '@deployment-annotations/client'
import type { NewAnnotation } from '@deployment-annotations/contract/annotation'
import { createChance } from '../../packages/compare/__tests__/support/random.ts'

const MINUTE_MS = 60_000
const HISTORY_MS = 180 * MINUTE_MS
/** Events are made for so long at a time, so that they are the same in every run, however often they are sent. */
const STEP_MS = 10_000

/** By its beginning, “Made-up”, the page knows the example, and so does a later start; other datasets are left alone. */
const DESCRIPTION = 'Made-up data: A shop that keeps sending, to show what you will see here.'
const NAMES = ['shop', 'payments'] as const

/** The minutes after the start at which each release begins and ends. */
const RELEASES = [
  { version: '1.41.0', from: -150, to: -147, description: 'Faster search.\n\nsuccess after 3 min' },
  { version: '1.42.0', from: -28, to: -26, description: 'New checkout.\n\nsuccess after 2 min' },
  { version: '1.42.1', from: 11, to: 12, description: 'Back to the old checkout.\n\nsuccess after 1 min' },
] as const

const ROUTES = ['/', '/', '/search', '/product', '/cart', '/checkout'] as const
const REGIONS = ['eu', 'us', 'asia'] as const

type Events = Record<(typeof NAMES)[number], object[]>

/**
 * Makes the datasets of the example; those of an earlier start go, with their annotations.
 * @returns a function that sends whatever happened by a time and was not sent yet; `undefined` if a dataset of the same name is the user's own
 */
export async function startExample(client: Client, startMs: number): Promise<((nowMs: number) => Promise<void>) | undefined> {
  const earlier = (await client.datasets.list()).filter(({ name }) => NAMES.some((own) => own === name))
  if (!earlier.every(({ description = '' }) => description.startsWith('Made-up'))) return undefined
  for (const { name } of earlier) {
    for (const { id } of await client.annotations.list({ datasets: [name] })) await client.annotations.delete(id)
    await client.datasets.delete(name)
  }
  for (const name of NAMES) await client.datasets.create({ name, description: DESCRIPTION })
  const { uniform } = createChance(64)
  const releases = RELEASES.map((release) => annotationOf(release, startMs))
  let sentMs = startMs - HISTORY_MS
  return async (nowMs) => {
    const events: Events = { shop: [], payments: [] }
    for (; sentMs + STEP_MS <= nowMs; sentMs += STEP_MS) addStep(events, sentMs, startMs, uniform)
    for (const name of NAMES) if (events[name].length > 0) await client.ingest(name, events[name])
    while (releases[0] && Date.parse(releases[0].endTime) <= nowMs)
      await client.annotations.create(releases.shift() as NewAnnotation)
  }
}

function addStep({ shop, payments }: Events, fromMs: number, startMs: number, random: () => number): void {
  const minutes = (fromMs - startMs) / MINUTE_MS
  const version = RELEASES.findLast(({ to }) => minutes >= to)?.version ?? '1.40.2'
  const time = () => new Date(fromMs + random() * STEP_MS).toISOString()
  const region = () => REGIONS[Math.floor(random() ** 1.6 * REGIONS.length)]
  const count = (perMinute: number) => Math.floor((perMinute * STEP_MS) / MINUTE_MS + random())
  for (let n = count(37 + 2 * Math.sin(minutes / 40)); n > 0; n--) {
    const route = ROUTES[Math.floor(random() * ROUTES.length)]
    const fails = random() < (version === '1.42.0' && route === '/checkout' ? 0.82 : 0.007)
    const duration_ms = Math.round((fails ? 880 : 40) + 110 * random() ** 3)
    shop.push({ _time: time(), route, status: fails ? 500 : 200, duration_ms, region: region(), version })
  }
  for (let n = count(7); n > 0; n--) {
    const amount = Math.round(500 + 9_000 * random() ** 2) / 100
    const duration_ms = Math.round(150 + 120 * random() ** 2)
    payments.push({ _time: time(), status: random() < 0.011 ? 502 : 200, amount, duration_ms, region: region() })
  }
}

function annotationOf({ version, from, to, description }: (typeof RELEASES)[number], startMs: number) {
  const at = (minutes: number) => new Date(startMs + minutes * MINUTE_MS).toISOString()
  const title = `Shop ${version}`
  const url = `https://example.com/shop/releases/${version}`
  return { datasets: ['shop'], type: 'production-deploy', time: at(from), endTime: at(to), title, description, url }
}
