/**
 * Three hours of a made-up shop for `npm start`, so that its chart has something to show: requests and payments, three releases
 * and the incident that one of them caused. Sent if there is none yet, and again once it is out of the range that a chart shows
 * first. `shop` goes last: so if a run is ended before it has sent everything, the next one sends the rest.
 */

import type { Client } from '@deployment-annotations/client'
import type { NewAnnotation } from '@deployment-annotations/contract/annotation'
import { createChance } from '../../packages/compare/__tests__/support/random.ts'

const MINUTE_MS = 60_000
const HOURS = 3
/** Minutes before now. */
const RELEASES = { '1.41.0': 150, '1.42.0': 68, '1.41.1': 36 } as const
const BROKEN_FROM = RELEASES['1.42.0']
const MENDED_AT = RELEASES['1.41.1']

/** Tells the example's datasets from the user's own, which are left alone. */
const DESCRIPTION = 'Made-up events of npm start'

const PATHS = ['/', '/', '/search', '/product', '/cart', '/checkout'] as const
const REGIONS = ['eu', 'us', 'asia'] as const

/** @returns whether it had to be sent */
export async function sendExampleData(client: Client, nowMs: number): Promise<boolean> {
  if (!(await isWanted(client, 'shop'))) return false
  // The same numbers in every run, so that the example looks the same everywhere.
  const { uniform: random } = createChance(7)
  const requests: object[] = []
  const payments: object[] = []
  for (let minutesAgo = HOURS * 60; minutesAgo > 0; minutesAgo -= 0.5) {
    const isBroken = minutesAgo <= BROKEN_FROM && minutesAgo > MENDED_AT
    const wave = 1 + 0.35 * Math.sin(minutesAgo / 24) + 0.2 * random()
    for (let n = 0; n < 14 * wave; n++) {
      const time = new Date(nowMs - (minutesAgo - random() / 2) * MINUTE_MS).toISOString()
      const path = PATHS[Math.floor(random() * PATHS.length)]
      const fails = random() < (isBroken && path === '/checkout' ? 0.8 : 0.006)
      const region = REGIONS[Math.floor(random() ** 1.6 * REGIONS.length)]
      const durationMs = Math.round((fails ? 900 : 40) + 120 * random() ** 3)
      requests.push({ _time: time, status: fails ? 500 : 200, path, durationMs, region, version: versionAt(minutesAgo) })
      if (path === '/checkout' && !fails)
        payments.push({ _time: time, amount: Math.round(500 + 9_000 * random() ** 2) / 100, region })
    }
  }
  if (await isWanted(client, 'payments')) await send(client, 'payments', payments)
  const start = new Date(nowMs - HOURS * 60 * MINUTE_MS).toISOString()
  const titles = new Set((await client.annotations.list({ datasets: ['shop'], start })).map(({ title }) => title))
  const missing = annotationsOf(nowMs).filter(({ title }) => !titles.has(title))
  for (const annotation of missing) await client.annotations.create(annotation)
  await send(client, 'shop', requests)
  return true
}

/** @returns whether there is no such dataset, or it is the example's own, from an earlier day */
async function isWanted(client: Client, name: string): Promise<boolean> {
  const dataset = (await client.datasets.list()).find((one) => one.name === name)
  if (dataset?.description !== DESCRIPTION) return dataset === undefined
  const { status } = await client.query(`['${name}'] | limit 1`, { startTime: 'now-1h', endTime: 'now' })
  return status.rowsMatched === 0
}

async function send(client: Client, name: string, events: object[]): Promise<void> {
  const isThere = (await client.datasets.list()).some((one) => one.name === name)
  if (!isThere) await client.datasets.create({ name, description: DESCRIPTION })
  await client.ingest(name, events)
}

function versionAt(minutesAgo: number): string {
  return Object.entries(RELEASES).findLast(([, released]) => minutesAgo <= released)?.[0] ?? '1.40.2'
}

function annotationsOf(nowMs: number): NewAnnotation[] {
  const at = (minutesAgo: number) => new Date(nowMs - minutesAgo * MINUTE_MS).toISOString()
  const released = (version: keyof typeof RELEASES, minutes: number, description: string): NewAnnotation => ({
    datasets: ['shop', 'payments'],
    type: 'production-deploy',
    time: at(RELEASES[version] + minutes),
    endTime: at(RELEASES[version]),
    title: `Shop ${version}`,
    description,
    url: `https://example.com/shop/releases/${version}`,
  })
  return [
    released('1.41.0', 3, 'Faster search.\n\nsuccess after 3 min'),
    released('1.42.0', 4, 'New checkout.\n\nsuccess after 4 min'),
    {
      datasets: ['payments', 'shop'],
      type: 'incident',
      time: at(BROKEN_FROM - 11),
      endTime: at(MENDED_AT - 3),
      title: 'Checkout fails',
      description: 'Most requests to `/checkout` end with 500 since **1.42.0**.',
    },
    released('1.41.1', 2, 'Back to the old checkout.\n\nsuccess after 2 min'),
  ]
}
