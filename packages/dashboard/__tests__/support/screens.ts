/**
 * Every page in each of its states, over a world with something of everything: what the accessibility checker, the test of widths and the
 * one of hostile texts look at.
 */
import { beforeAll } from '@jest/globals'
import type { Page } from 'playwright-core'
import { type OpenPageOptions, openPage } from '../../../../__tests__/support/browser.ts'
import { annotate, ingest, send } from '../../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import type { RunningService } from '../../../../__tests__/support/service.ts'
import { queryField } from './editor.ts'
import { signOut } from './menus.ts'
import { ago, requests, untilWorse } from './shop.ts'

interface World {
  /** Addresses of the service, and of one that is new. */
  url: string
  empty: string
  /** Ids. */
  release: string
  incident: string
  board: string
}

/**
 * @param say what becomes of each text that people or their programs write
 * @returns what opens the page of a world that all tests of the file share, and what shows one of the screens in it
 */
export function worldForTests(say = (text: string) => text) {
  const [service, empty] = [serviceForTests(), serviceForTests()]
  let world: World
  beforeAll(async () => {
    world = await fillWorld(service, empty, say)
  })
  return {
    open: (options: OpenPageOptions = {}) =>
      openPage(service, '/', { ...options, alsoAsks: empty.url, expectedErrors: /40\d|ERR_FAILED/ }),
    show: (page: Page, screen: Screen) => openScreen(page, world, screen),
  }
}

async function fillWorld(service: RunningService, empty: RunningService, say: (text: string) => string): Promise<World> {
  const make = (path: string, body: object) => send<{ id: string }>(service, 'POST', `/v2/${path}`, body)
  await ingest(service, 'web', requests({ from: 90, until: 20, version: '2.14.1', say }))
  await ingest(service, 'web', requests({ from: 20, version: '2.15.0', say }))
  const levels = ['warn', 'fatal', 'info', 'debug'].map((level) => ({ level, [say('note')]: say('disk'), _time: ago(9) }))
  for (const name of ['payments-of-all-regions', 'x'.repeat(128)]) await ingest(service, name, levels)
  await send(service, 'PUT', '/v2/datasets/web', { description: say('The shop') })
  const mark = (title: string, minutes: number, more: object = {}) =>
    annotate(service, { datasets: ['web'], type: 'production-deploy', title: say(title), time: ago(minutes), ...more })
  const title = 'web 2.15.0, a release with a title that is longer than most people would write it'
  const text = say('*fine* [run](javascript:alert(3)) ![look](http://127.0.0.1:9/picture.png) <http://127.0.0.1:9/auto>')
  const { id: release } = await mark(title, 20, { url: 'https://ci.example.com/7', description: text })
  await mark('web 2.15.1', 1, { open: true })
  const tag = (word: string) => say(word).slice(0, 100)
  const tags = { service: tag('web'), environment: tag('qa'), version: tag('7'), tags: [tag('late')] }
  const { id: incident } = await mark('Refunds are late', 200, {
    type: 'incident',
    endTime: ago(180),
    description: text,
    ...tags,
  })
  await mark('Disks', 1_300, { type: 'maintenance' })
  for (const minutes of [50, 30, 31, 32])
    await mark(`Storefront of the shop 1.${minutes}.0`, minutes, { datasets: ['crowd'], description: 'success after 1 min' })
  await untilWorse(service)
  const series = { title: say('Series'), aplQuery: CHART, datasets: ['web'] }
  const total = { title: say('Number'), aplQuery: "['web'] | count", datasets: ['web'] }
  const { id: board } = await make('saved-views', { name: say('Board'), charts: [series, total], ...LAST })
  await make('saved-views', { name: say('Counts'), aplQuery: "['web'] | count", datasets: ['web'], ...LAST })
  await make('integrations', { platform: 'generic', datasets: ['web'], name: say('Scripts of the team') })
  const rule = { operator: 'Above', threshold: 1, intervalMinutes: 1, rangeMinutes: 1, description: say('Look here') }
  await make('monitors', { ...rule, name: say('Web errors above 1.5 %'), aplQuery: "['web'] | count" })
  await make('monitors', { ...rule, name: say('Broken'), aplQuery: "['nowhere'] | count" })
  await make('notifiers', {
    name: say('On call'),
    properties: { webhook: { url: 'https://example.com/hook' } },
    events: ['monitor'],
  })
  await make('tokens', { name: say('ci'), permissions: ['annotations|read'] })
  return { url: service.url, empty: empty.url, release, incident, board }
}

const LAST = { startTime: 'now-2h', endTime: 'now' }
const CHART = "['web'] | summarize count() by bin(_time, 5m), status"
const query = (apl: string, more = '') => `/?startTime=now-2h${more}&apl=${encodeURIComponent(apl)}`
const FIELDS = '/?startTime=now-2h&datasets=web&fields=true'
const VIEWS = 'details:has(.saved-views, .saved-word) > summary'
const PAGES = ['', 'releases', 'views', 'monitors', 'datasets', 'integrations', 'tokens', 'annotations']
const LISTS = PAGES.slice(3)

/** Nothing answers but who is signed in. */
async function hang(page: Page): Promise<void> {
  await page.route(/\/v[12]\/(?!user)/, () => undefined)
  await page.reload({ waitUntil: 'commit' })
}

async function fail(page: Page): Promise<void> {
  await page.route(/\/v[12]\/(?!user)/, (route) => route.abort())
  await page.reload()
}

async function preview(page: Page): Promise<void> {
  await page.getByLabel('Query').fill("['web'] | count")
  await page.getByLabel('Threshold').fill('1')
  await page.getByRole('button', { name: 'Preview' }).click()
}

async function makeToken(page: Page): Promise<void> {
  await page.getByLabel('Name').fill('made')
  await page.getByRole('button', { name: 'Read only' }).click()
  await page.getByRole('button', { name: 'Create' }).click()
}

type Step = string | ((page: Page) => Promise<unknown>)
/** A step is done, or is what is clicked; what a screen shows is there after the last one. */
type Screen = readonly [name: string, path: string, shows: string, ...steps: Step[]]

export const SCREENS: readonly Screen[] = [
  ['Home', '/', '.hurt-card'],
  ['Home of a service that is new', '{empty}/', 'text=Waiting for the first event'],
  ['Home without events', '/?startTime=now-9d&endTime=now-8d&datasets=web', 'text=0 events'],
  ['the panel of a release', '/', '.panel table', '.hurt-card h2 button'],
  ['its details', '/?annotations={release}', '.panel dl', '.panel .details summary'],
  ['its menu', '/?annotations={release}', '.panel .actions', '.panel-head summary'],
  ['its form', '/?annotations={release}', 'dialog', '.panel-head summary', '.panel .actions button:text-is("Change")'],
  ['its deletion', '/?annotations={release}', 'dialog', '.panel-head summary', '.panel .actions .danger'],
  ['the panel of an incident', '/?annotations={incident}', '.panel h2'],
  ['the panel of several', '/?startTime=now-1d&annotations={release},{incident}', '.picks button'],
  ['the panel of none', '/?annotations=ann_none', '[role=alert]'],
  ['crowded marks', '/?datasets=crowd', '.mark >> nth=1'],
  ['What changed?', '/?moment=now', '.changes .named'],
  ['What changed?, all of it', '/?moment=now', '.changes details[open]', '.changes summary'],
  ['the range', '/', '.range-menu', 'summary:has-text("Range")'],
  ['the marks', '/', '.marks-menu .find-marks', 'summary:has-text("Marks")'],
  ['the datasets', '/', 'details[open] input', 'summary:has-text("Datasets:")'],
  ['the menu of the token', '/', 'text=Sign out', 'summary:has-text("Token")'],
  ['the pages on a phone', '/', 'nav .card a', (page) => page.setViewportSize({ width: 390, height: 844 }), 'nav summary'],
  ['Explore', FIELDS, 'button:has-text("status")'],
  ['a field', FIELDS, 'button[aria-label^="Only events where"]', 'button:has-text("status")'],
  ['Display', FIELDS, 'label:has-text("Compare with")', 'summary:has-text("Display")'],
  ['the saved views', FIELDS, '.saved-views a', VIEWS],
  ['a public link', FIELDS, 'dialog', VIEWS, 'button:has-text("Public link…")'],
  ['marks of a query', `${FIELDS}&annotationsQuery=${encodeURIComponent("['web'] | where status == 500")}`, '.found'],
  ['events', '/?startTime=now-2h&events=true&columns=level', '.event-line'],
  ['an event', '/?startTime=now-2h&events=true', '.event-detail', '.event-line'],
  ['a query that is begun', FIELDS, '.cm-content', 'button:text-is("Query")'],
  ['the chart of a query', query(CHART), '.u-over'],
  ['its table', query(CHART, '&kind=table'), '.result-scroll'],
  ['a top list, compared', query("['web'] | summarize count() by route", '&compare=1d'), '.top-bar'],
  ['a number, compared', query("['web'] | summarize count()", '&compare=1d'), '.result-numbers'],
  ['a query with a mistake', query("['web'] | where ['<img src=x onerror=alert(1)>'] == 1"), '[role=alert]'],
  [
    'completion',
    query("['web'] | summarize count() by st"),
    '[role=option]',
    (page) => queryField(page).press('Control+End'),
    (page) => queryField(page).press('Control+ '),
  ],
  ['releases that hurt', '/releases', '.release-table', 'button:has-text("Hurt")'],
  ['the order of releases', '/releases', 'details[open] button', 'summary:has-text("Order")'],
  ['no release', '/releases?text=nobody', 'text=0 of'],
  ['a board', '/views?savedView={board}', '.board-chart .u-over'],
  ['the menu of its chart', '/views?savedView={board}', 'details[open] .actions', 'summary:has-text("Actions on")'],
  ['a board with a panel', '/views?savedView={board}&annotations={release}', '.panel h2'],
  ['the preview of a monitor', '/monitors?open=new-monitor', '[role=group][aria-label^="Chart of the preview"]', preview],
  ['a monitor that fails', '/monitors', '.run-error pre', 'tr:has-text("Broken") th a'],
  ['a token that was made', '/tokens', 'text=shown only this once', 'main button:has-text("New")', makeToken],
  ['the fields of a dataset', '/datasets', 'dialog table', 'tbody td summary', '.actions button:text-is("Fields")'],
  ['no page', '/nothing', 'h1'],
  ['the way in', '/', '#token', signOut],
  ['help', '/help/dashboard', 'h1'],
  ['help that is found', '/help', '[aria-label=Found] a', (page) => page.getByRole('searchbox').fill('retention bytes')],
  ...PAGES.slice(1).flatMap((name): Screen[] => [
    [name, `/${name}`, 'tbody th'],
    [`${name} of a service that is new`, `{empty}/${name}`, 'main:has(h1) :is(.card, .hint, tbody)'],
  ]),
  ...PAGES.flatMap((name): Screen[] => [
    [`/${name} while it loads`, `/${name}`, 'main:has(h1) >> text=Loading…', hang],
    [`/${name} that cannot be loaded`, `/${name}`, '[role=alert]', fail],
  ]),
  ...LISTS.flatMap((name): Screen[] => [
    [`the menu of one of ${name}`, `/${name}`, '.actions', 'tbody td summary'],
    [`one of ${name}`, `/${name}`, 'dialog', 'tbody td summary', '.actions button'],
    [`one of ${name}, deleted`, `/${name}`, 'dialog', 'tbody td summary', '.actions .danger'],
    [`a new one of ${name}`, `/${name}`, 'dialog', 'main button:has-text("New")'],
  ]),
]

async function openScreen(page: Page, world: World, [, path, shows, ...steps]: Screen): Promise<void> {
  await page.setViewportSize({ width: 1_440, height: 900 })
  const named = path.replace(/\{(\w+)\}/g, (_, name: keyof World) => world[name])
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.goto(named.startsWith('/') ? world.url + named : named)
  for (const step of steps) await (typeof step === 'string' ? page.locator(step).first().click() : step(page))
  await page.locator(shows).first().waitFor()
}
