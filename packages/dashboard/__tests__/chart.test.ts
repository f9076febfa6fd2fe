/** What stays where it is on the charts: selections, the panel, and the data behind many marks. */
import { beforeAll, expect } from '@jest/globals'
import { openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { annotate, ingest } from '../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { focused, markOn, panelOf, plotBox } from './support/charts.ts'
import { actIn } from './support/resources.ts'
import { at, MORNING } from './support/times.ts'
import { expectSoon } from './support/wait.ts'

const CROWD = 400

const service = serviceForTests()
beforeAll(async () => {
  const events = Array.from({ length: 240 }, (_, n) => ({ _time: at(n / 2), status: 200 }))
  for (const dataset of ['shop', 'payments', 'crowded']) await ingest(service, dataset, events)
  await annotate(service, { datasets: ['shop'], type: 'deploy', time: at(20), title: 'Shop 1.43.0' })
  await annotate(service, {
    datasets: ['shop', 'payments'],
    type: 'incident',
    time: at(90),
    endTime: at(100),
    title: 'Disk full',
  })
  await Promise.all(
    Array.from({ length: CROWD }, (_, n) =>
      annotate(service, { datasets: ['crowded'], type: n % 5 === 0 ? 'incident' : 'deploy', time: at((n * 120) / CROWD) }),
    ),
  )
})

testInBrowser('a selection is on the chart where one drags, and goes when the drag is over', async () => {
  await using page = await openPage(service, `/?${MORNING}&datasets=shop,payments`)
  await markOn(page, 'shop', /^Shop 1.43.0/).waitFor()
  const box = await plotBox(page, 'shop')
  await page.mouse.move(box.x + 200, box.y + 60)
  await page.mouse.down()
  await page.mouse.move(box.x + 500, box.y + 60, { steps: 6 })
  await expectSoon(() => page.locator('.u-select').evaluateAll((all) => all.map((one) => one.clientWidth > 0)), [true, false])
  await page.mouse.up()
  await page.waitForURL((url) => url.searchParams.get('startTime') !== at(0))
  await expectSoon(() => page.locator('.u-select').evaluateAll((all) => all.map((one) => one.clientWidth)), [0, 0])
})

testInBrowser('a finger that goes along a chart zooms', async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  await using page = await openPage(service, `/?${MORNING}&datasets=shop`, phone)
  await page.locator('figcaption').getByText('240 events').waitFor()
  const box = await plotBox(page, 'shop')
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', part: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: box.x + box.width * part, y: box.y + 60 }],
    })
  await touch('touchStart', 0.25)
  for (const part of [0.3, 0.4, 0.5]) await touch('touchMove', part)
  await touch('touchEnd', 0.5)
  await page.waitForURL((url) => url.searchParams.get('startTime') !== at(0))
  const { searchParams } = new URL(page.url())
  expect(Math.abs(Date.parse(searchParams.get('startTime') ?? '') - Date.parse(at(30)))).toBeLessThan(180_000)
  expect(Math.abs(Date.parse(searchParams.get('endTime') ?? '') - Date.parse(at(60)))).toBeLessThan(180_000)
})

testInBrowser('Enter on a mark leads into the panel, Escape back to the mark', async () => {
  await using page = await openPage(service, `/?${MORNING}&datasets=shop`)
  await markOn(page, 'shop', /^Shop 1.43.0/).press('Enter')
  await expectSoon(() => focused(page), 'Shop 1.43.0')
  await page.keyboard.press('Tab')
  expect(await focused(page)).toBe('⋯Actions on Shop 1.43.0')
  await page.keyboard.press('Tab')
  expect(await focused(page)).toBe('Close the panel')
  // A question in front of the panel is answered by Escape, and the panel stays.
  await actIn(panelOf(page), 'Delete')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await panelOf(page).count()).toBe(1)
  await page.keyboard.press('Escape')
  await panelOf(page).waitFor({ state: 'detached' })
  await expectSoon(async () => (await focused(page)).startsWith('Shop 1.43.0'), true)
  // The keyboard comes to the panel before it comes to the charts and the events.
  await markOn(page, 'shop', /^Disk full/).click()
  await panelOf(page).waitFor()
  const isBefore = await page.evaluate(() => {
    const [panel, charts] = [document.querySelector('.panel'), document.querySelector('.charts')]
    return panel && charts ? (panel.compareDocumentPosition(charts) & Node.DOCUMENT_POSITION_FOLLOWING) > 0 : false
  })
  expect(isBefore).toBe(true)
})

testInBrowser('the panel stands beside the chart: it covers none of it, and no chart moves up or down', async () => {
  await using page = await openPage(service, `/?${MORNING}&datasets=shop,payments`)
  await page.locator('figcaption').getByText('240 events').first().waitFor()
  const before = await plotBox(page, 'shop')
  for (const name of [/^Shop 1.43.0/, /^Disk full/]) {
    await markOn(page, 'shop', name).click()
    await panelOf(page).getByRole('heading', { level: 2 }).waitFor()
    await expectSoon(async () => (await plotBox(page, 'payments')).width < before.width, true)
    const now = await plotBox(page, 'shop')
    expect({ x: now.x, y: now.y, height: now.height }).toEqual({ x: before.x, y: before.y, height: before.height })
    const [other, panel] = [await plotBox(page, 'payments'), await panelOf(page).boundingBox()]
    expect(panel?.x).toBeGreaterThanOrEqual(other.x + other.width)
    await page.keyboard.press('Escape')
    await expectSoon(() => plotBox(page, 'shop'), before)
  }
})

testInBrowser('hundreds of marks leave the data to be seen: numbers on their buttons, and no lines', async () => {
  await using page = await openPage(service, `/?${MORNING}&datasets=crowded`)
  await page.getByRole('toolbar').getByRole('button').nth(20).waitFor()
  expect(await page.locator('.pole').count()).toBe(0)
  // Numbers are whole.
  const cut = await page
    .locator('.mark.is-many')
    .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length)
  expect(cut).toBe(0)
})

testInBrowser('of a title that fits on neither side of its mark, the version is shown', async () => {
  await annotate(service, { datasets: ['narrow'], type: 'deploy', time: at(2), title: 'Shop web frontend for everybody 1.44.0' })
  await annotate(service, { datasets: ['narrow'], type: 'deploy', time: at(9), title: 'Next' })
  await using page = await openPage(service, `/?${MORNING}&datasets=narrow`, { expectedErrors: /404/ })
  const texts = page.getByRole('toolbar').getByRole('button')
  await expectSoon(async () => /… 1\.44\.0,Next$/.test((await texts.allTextContents()).join()), true)
  // That it has no events is no failure.
  await page.getByRole('alert').waitFor({ state: 'detached' })
  await page.getByText('There are no events in this dataset yet.').waitFor()
})
