/** A chart as a picture to keep: what is on it, in the theme of now. */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { openPage, testInBrowser } from '../../../../__tests__/support/browser.ts'
import { annotate, ingest } from '../../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { at } from '../support/times.ts'

const APL = "['web'] | summarize count() by bin(_time, 5m), path"
const ADDRESS = `/?startTime=${at(0)}&endTime=${at(120)}&utc=true&apl=${encodeURIComponent(APL)}&kind=stacked&figures=true`

const service = serviceForTests()
beforeAll(async () => {
  const events = Array.from({ length: 600 }, (_, n) => ({ _time: at(n / 5), path: n % 3 === 0 ? '/cart' : '/' }))
  await ingest(service, 'web', events)
  await annotate(service, { datasets: ['web'], type: 'deploy', time: at(60), endTime: at(70), title: 'Release 8' })
})

interface Picture {
  name: string
  width: number
  height: number
  /** The color of the upper left corner. */
  ground: number[]
  /** How many colors there are that are no gray, roughly told apart. */
  colors: number
}

async function download(page: Page, scheme: string): Promise<Picture> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download The query as PNG' }).click(),
  ])
  const bytes = readFileSync(await file.path())
  const folder = process.env.SCREENSHOTS
  if (folder) {
    mkdirSync(folder, { recursive: true })
    await file.saveAs(join(folder, `picture-${scheme}.png`))
  }
  expect(bytes.subarray(1, 4).toString()).toBe('PNG')
  const read = await page.evaluate(async (base64) => {
    const blob = new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], { type: 'image/png' })
    const bitmap = await createImageBitmap(blob)
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
    const ctx = canvas.getContext('2d')
    ctx?.drawImage(bitmap, 0, 0)
    const { data } = ctx?.getImageData(0, 0, bitmap.width, bitmap.height) ?? { data: [] }
    const seen = new Set<number>()
    for (let n = 0; n < data.length; n += 4) {
      const [red = 0, green = 0, blue = 0] = data.slice(n, n + 3)
      if (Math.max(red, green, blue) - Math.min(red, green, blue) > 60) seen.add((red >> 6) * 16 + (green >> 6) * 4 + (blue >> 6))
    }
    return { width: bitmap.width, height: bitmap.height, ground: [...data.slice(0, 3)], colors: seen.size }
  }, bytes.toString('base64'))
  return { name: file.suggestedFilename(), ...read }
}

for (const [colorScheme, ground] of [
  ['light', [255, 255, 255]],
  ['dark', [29, 31, 41]],
] as const) {
  testInBrowser(`a chart is saved with its title, marks and legend, in ${colorScheme}`, async () => {
    await using page = await openPage(service, ADDRESS, { colorScheme })
    await page.getByRole('toolbar', { name: 'Annotations on The query' }).getByRole('button').waitFor()
    const picture = await download(page, colorScheme)
    expect(picture).toMatchObject({ name: 'The-query.png', ground })
    // Twice the pixels of the page, and higher than the plot alone by title, marks and legend.
    expect(picture.width).toBeGreaterThan(2_000)
    expect(picture.height).toBeGreaterThan(2 * (180 + 26 + 80))
    expect(picture.colors).toBeGreaterThanOrEqual(3)
  })
}

testInBrowser('what draws the picture is not loaded before somebody wants one', async () => {
  await using page = await openPage(service, ADDRESS)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.reload()
  await page.getByRole('toolbar', { name: 'Annotations on The query' }).getByRole('button').waitFor()
  expect(asked.filter((path) => path.includes('picture'))).toEqual([])
  await download(page, 'light')
  expect(asked.filter((path) => path.includes('picture'))).toHaveLength(1)
})
