/**
 * Releases of known effect are told rightly, unasked, and in one sentence wherever it is read: the service, both steps, the command, a
 * notifier and the page, each as it ships.
 */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import { withAllMembers } from '@deployment-annotations/contract/header'
import { beforeAll, expect, test } from '@jest/globals'
import { annotate as runCommand } from '../../packages/cli/__tests__/run-annotate.ts'
import { startReceiver } from '../../packages/service/__tests__/notifiers/receiver.ts'
import { openPage, testInBrowser } from '../support/browser.ts'
import { annotate, ingest, send } from '../support/fill.ts'
import { disposedAfterTests, serviceForTests } from '../support/for-tests.ts'
import { runAction, runCompare, runPost } from '../support/run-action.ts'
import { until } from '../support/until.ts'

/** One in 101 fails. */
const usual = (n: number) => ({
  status: n % 101 === 0 ? 500 : 200,
  duration_ms: 60 + ((n * 7) % 31) + (Math.floor(n / 200) % 3),
  route: ['/cart', '/login', '/search'][n % 3],
  version: '1.0.0',
})
type Request = ReturnType<typeof usual>
const slowed = (one: Request, times: number): Request => ({ ...one, duration_ms: one.duration_ms * times })

/** Releases with what becomes of a request so many minutes after each of them, and what is said of that. */
type Known = readonly [effect: string, after: (one: Request, n: number, minute: number) => Request | undefined, said: RegExp]
const KNOWN: readonly Known[] = [
  ['nothing', (one) => one, /^No harm: errors 1 %, p95 \d+ ms; a rise of errors by more than \d+ % would have shown$/],
  [
    'doubled',
    (one, n) => (n % 101 === 50 ? { ...one, status: 500, route: '/checkout' } : one),
    /^Errors doubled: 0\.99\d* → 1\.9\d* %, nearly all on \/checkout$/,
  ],
  ['slower', (one) => slowed(one, 1.3), /^p95 rose by (?:29|30|31) %: \S+ → \S+ ms$/],
  ['less', (one, n) => (n % 5 < 3 ? one : undefined), /^Traffic fell by 40 %: 200 → 120\/min$/],
  ['gone', () => undefined, /^Traffic stopped: 200\/min → nothing$/],
  ['leak', (one, _, minute) => slowed(one, 1 + minute / 100), /^p95 crept up within the hour: \S+ → \S+ ms$/],
  [
    'neighbor',
    (one, n, minute) => (minute < 2 ? one : { ...one, version: '2.15.0', ...(n % 30 === 0 && { status: 500 }) }),
    /^Cannot tell: errors \S+(?: \S+-fold)? with web 2\.15\.0, \S+ → \S+ %/,
  ],
]

const atMs = Math.floor(Date.now() / UNIT_MS.m) * UNIT_MS.m - 75 * UNIT_MS.m
const timeOf = (minute: number) => new Date(atMs + minute * UNIT_MS.m).toISOString()

/** 200 requests a minute, of the two hours before and of all time after. */
function requestsOf([, after]: Known): object[] {
  return Array.from({ length: 194 * 200 }, (_, n) => {
    const minute = n / 200 - 120
    const found = minute < 0 ? usual(n) : after(usual(n), n, minute)
    return found && { _time: timeOf(minute), ...found }
  }).filter((one) => one !== undefined)
}

const service = serviceForTests({ args: ['--allow-private-notifications'] })
const receiver = disposedAfterTests(startReceiver)
const ids = new Map<string, string>()
const read = (dataset: string) => send<Annotation>(service, 'GET', withAllMembers(`/v2/annotations/${ids.get(dataset)}`))
beforeAll(async () => {
  await send(service, 'POST', '/v2/notifiers', {
    name: 'team',
    properties: { webhook: { url: receiver.url } },
    events: ['verdict'],
  })
  for (const known of KNOWN) await ingest(service, known[0], requestsOf(known))
  const mark = (dataset: string, title: string, minute: number) =>
    annotate(service, { datasets: [dataset], type: 'deploy', title, time: timeOf(minute) })
  await mark('neighbor', 'web 2.15.0', 2)
  for (const [effect] of KNOWN) ids.set(effect, (await mark(effect, `${effect} 7.3.2`, 0)).id)
  for (const [effect] of KNOWN) await until('the verdict', async () => (await read(effect)).verdict !== undefined)
}, 120_000)

const connection = () => ({ token: service.token, baseUrl: service.url })

test.each(KNOWN)('%s: the service, the step and the command say the same, and none asks anew', async (dataset, _, said) => {
  const { id, title, verdictDetails } = await read(dataset)
  const sentence = verdictDetails?.headline ?? ''
  expect(sentence).toMatch(said)
  const step = await runCompare({ ...connection(), id })
  expect(step.summary.split('\n')[0]?.replace(/^### \S+ /, '')).toBe(`${title}: ${sentence}`)
  expect(JSON.parse(step.outputs.comparison ?? '')).toMatchObject({ headline: sentence, series: verdictDetails?.series })
  const command = await runCommand(service.url, ['verdict', id], { env: { ANNOTATE_TOKEN: service.token } })
  expect(command.stdout.split('\n')[0]).toBe(`${title}: ${sentence}`)
  expect(service.requests.filter(({ path }) => path.includes('_apl'))).toEqual([])
})

testInBrowser('the page says the same of each, in the list and in the panel', async () => {
  await using page = await openPage(service, '/releases')
  for (const [dataset] of KNOWN) {
    const { id, title = '', verdictDetails } = await read(dataset)
    const sentence = verdictDetails?.headline ?? ''
    await page.goto(`${service.url}/releases?service=${dataset}`)
    await page.getByRole('row', { name: title }).getByText(sentence).first().waitFor()
    await page.goto(`${service.url}/?annotations=${id}&datasets=${dataset}`)
    await page.getByRole('complementary').getByText(sentence).first().waitFor()
  }
})

testInBrowser('so do the post step, a notifier, the table and the card of what hurts', async () => {
  const { id, title, verdictDetails } = await read('doubled')
  const sentence = verdictDetails?.headline ?? ''
  const inputs = { ...connection(), datasets: 'doubled', type: 'deploy', title: title ?? '', time: timeOf(0), wait: '100s' }
  const post = await runPost(await runAction(inputs), inputs)
  expect(post.warnings).toEqual([`${title}: ${sentence}`])
  expect(post.summary).toContain(`### 🔴 ${title}: ${sentence}\n`)
  const notices = (await receiver.wait(4)).map(({ body }) => JSON.parse(body).data.title)
  expect(notices).toContain(`${title}: ${sentence}`)
  await using page = await openPage(service, `/?annotations=${id}&datasets=doubled`)
  const panel = page.getByRole('complementary')
  const errors = verdictDetails?.series.find(({ name }) => name === 'doubled errors')
  const [from, to] = [errors?.before ?? 0, errors?.after ?? 0].map((value) => Number((value * 100).toPrecision(3)))
  expect(await panel.getByRole('row', { name: /^Errors/ }).textContent()).toContain(`Errors${from}${to} %`)
  await page
    .getByRole('region', { name: `Hurts now: ${title}` })
    .getByText(sentence)
    .waitFor()
})
