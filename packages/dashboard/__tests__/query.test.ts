/** A query that is typed: completion, what is wrong with it and where, and its results, in a real browser. */
import { readFileSync } from 'node:fs'
import { beforeAll, expect } from '@jest/globals'
import { type OpenPage, type OpenPageOptions, openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { ingest } from '../../service/__tests__/query/ask.ts'
import { queryField, writtenQuery } from './support/editor.ts'
import { NEW_YEAR } from './support/times.ts'
import { expectSoon } from './support/wait.ts'

/** Each of them would show that something of an event was taken for more than a text. */
const HOSTILE = {
  '<img src=x onerror=alert(1)>': '<script>alert(2)</script><b>bold</b>',
  'right\u202eot tfel': '\u202eevil\u2066 \u200b',
  formula: '=HYPERLINK("http://127.0.0.1:9/")',
  huge: 'x'.repeat(400_000),
  [`${'n'.repeat(200)}`]: 1,
}

const service = serviceForTests()
beforeAll(async () => {
  const cities = ['Rome', '東京', 'القاهرة', 'São Paulo']
  const events = Array.from({ length: 1_200 }, (_, n) => ({
    _time: new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString(),
    status: n % 7 === 0 ? 500 : 200,
    path: `/products/${n}`,
    took: n / 8,
    'my field': n % 3,
    geo: { city: cities[n % cities.length], country: 'XX' },
    items: [{ id: n, tags: ['a', null] }],
  }))
  await ingest(service, 'web', JSON.stringify(events).replace('"took":0,', '"took":0,"id":9223372036854775807,'))
  await ingest(service, 'web-logs', [{ _time: '2026-01-01T00:00:00Z', level: 'error', line: 'no '.repeat(100) }])
  await ingest(service, 'hostile', [{ _time: '2026-01-01T00:00:00Z', ...HOSTILE }])
})

const openQuery = (apl: string, options?: OpenPageOptions) =>
  openPage(service, `/?${new URLSearchParams({ apl })}&${NEW_YEAR}`, options)

/** Opens the editor as a person who has no query yet. */
async function openEditor(options?: OpenPageOptions): Promise<OpenPage> {
  const page = await openPage(service, `/?fields=true&${NEW_YEAR}`, options)
  await page.getByRole('button', { name: 'Query', exact: true }).click()
  await queryField(page).waitFor()
  return page
}

const resultOf = (page: OpenPage) => page.getByRole('region', { name: 'Result' })
const offered = (page: OpenPage) => page.getByRole('listbox', { name: 'Completions' }).getByRole('option')

/** What a screen reader is told is chosen. */
async function chosen(page: OpenPage): Promise<string> {
  const id = await queryField(page).getAttribute('aria-activedescendant')
  return id === null ? '' : ((await page.locator(`[id="${id}"]`).textContent()) ?? '')
}

testInBrowser('completes datasets, operators, functions and fields while a query is written', async () => {
  await using page = await openEditor()
  const text = queryField(page)
  await text.pressSequentially("['we")
  await offered(page).filter({ hasText: 'web-logs' }).waitFor()
  expect(await offered(page).allTextContents()).toEqual(['web dataset', 'web-logs dataset'])
  expect(await chosen(page)).toContain('web')
  await text.press('ArrowDown')
  expect(await chosen(page)).toContain('web-logs')
  await text.press('ArrowUp')
  await text.press('Enter')
  expect(await writtenQuery(page)).toBe("['web']")
  await text.pressSequentially('\n| whe')
  await offered(page).filter({ hasText: 'where predicate' }).first().waitFor()
  await text.press('Tab')
  await text.pressSequentially(' my')
  await offered(page).filter({ hasText: 'my field integer' }).first().waitFor()
  await text.press('Tab')
  await text.pressSequentially(' > 0\n| summarize perc')
  await offered(page).filter({ hasText: 'percentile (value, percentile)' }).first().waitFor()
  await text.press('Enter')
  await text.pressSequentially('took, 95')
  await text.press('Delete')
  await text.pressSequentially(') by geo.c')
  await offered(page).filter({ hasText: 'geo.city' }).first().waitFor()
  await text.press('Tab')
  expect(await writtenQuery(page)).toBe("['web']\n| where ['my field'] > 0\n| summarize percentile(took, 95) by geo.city")
  expect(await text.evaluate((element) => (element.getRootNode() as ShadowRoot).activeElement === element)).toBe(true)
})

testInBrowser('Enter right after Ctrl+Space takes the first name, also before the list is there', async () => {
  await using page = await openEditor()
  const text = queryField(page)
  await text.fill("['web']\n| whe")
  await text.press('End')
  await text.press('Escape')
  await text.evaluate((field) => {
    for (const [key, code, ctrlKey] of [
      [' ', 'Space', true],
      ['Enter', 'Enter', false],
    ] as const)
      field.dispatchEvent(new KeyboardEvent('keydown', { key, code, ctrlKey, bubbles: true, cancelable: true, composed: true }))
  })
  await expectSoon(() => writtenQuery(page), "['web']\n| where")
})

testInBrowser('shows the arguments of the function that is being written, and marks the one at the caret', async () => {
  await using page = await openEditor()
  const text = queryField(page)
  // Where the caret is, the browser tells the page a moment after the key.
  const marked = async (wanted: string) => expectSoon(() => page.locator('.query-call b').allTextContents(), [wanted])
  await text.pressSequentially("['web'] | extend x = substr")
  await offered(page).filter({ hasText: 'substring (source, startingIndex, [length])' }).first().waitFor()
  await text.press('Tab')
  await page.getByText('substring(\'abcdef\', 1, 3) = "bcd"').waitFor()
  await marked('source')
  await text.pressSequentially('path, round(took, 1')
  await marked('digits')
  expect(await page.locator('.query-call code').textContent()).toBe('round(number, [digits])')
  await text.pressSequentially('), 2')
  await marked('length')
  expect(await text.getAttribute('aria-description')).toContain('substring(source')
  for (let left = 0; left < 20; left++) await text.press('ArrowLeft')
  await marked('source')
  await text.press('End')
  await page.locator('.query-call').waitFor({ state: 'detached' })
})

testInBrowser('leaves keys alone where nothing is chosen, and Escape closes the list before the editor', async () => {
  await using page = await openEditor()
  const text = queryField(page)
  await text.pressSequentially('web |')
  await offered(page).first().waitFor()
  expect(await chosen(page)).toBe('')
  await text.press('Enter')
  expect(await writtenQuery(page)).toBe('web |\n')
  await text.press('Control+ ')
  await offered(page).first().waitFor()
  await text.press('Escape')
  expect(await offered(page).count()).toBe(0)
  await text.press('Escape')
  expect(await writtenQuery(page)).toBe('web |\n')
  await text.fill('')
  await text.press('Escape')
  await page.getByRole('button', { name: 'Query', exact: true }).waitFor()
})

testInBrowser('takes back a completion as it takes back typing', async () => {
  await using page = await openEditor()
  const text = queryField(page)
  await text.pressSequentially('hos')
  await offered(page).first().waitFor()
  await text.press('Tab')
  expect(await writtenQuery(page)).toBe("['hostile']")
  await text.press('Control+z')
  expect(await writtenQuery(page)).toBe('hos')
})

testInBrowser('works by touch at the width of a phone', async () => {
  const options = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  await using page = await openEditor(options)
  const text = queryField(page)
  await text.tap()
  await offered(page).first().waitFor()
  await offered(page).filter({ hasText: 'web-logs' }).tap()
  expect(await writtenQuery(page)).toBe("['web-logs']")
  await text.pressSequentially(' | sort by _time desc, lev')
  await offered(page).filter({ hasText: 'level' }).first().waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
})

testInBrowser('runs with the button and the keyboard, and puts the query into the address', async () => {
  await using page = await openEditor()
  const text = queryField(page)
  await text.fill("['web'] | count")
  await page.getByRole('button', { name: 'Run' }).click()
  await resultOf(page).getByText('1,200').waitFor()
  expect(new URL(page.url()).searchParams.get('apl')).toBe("['web'] | count")
  await text.fill("['web'] | summarize max(id), avg(took), n = count()")
  await text.press('Control+Enter')
  await resultOf(page).getByText('9,223,372,036,854,775,807').waitFor()
  expect(await resultOf(page).getByRole('term').allTextContents()).toEqual(['max_id', 'avg_took', 'n'])
  await page.goBack()
  await resultOf(page).getByText('1,200').waitFor()
  expect(await writtenQuery(page)).toBe("['web'] | count")
})

testInBrowser('shows an error under its place, brings the caret there, and forgets it when all is well', async () => {
  await using page = await openQuery("['web']\n| where geo.city == '東京'\tand sttus == 500", { expectedErrors: /400/ })
  const text = queryField(page)
  const alert = page.getByRole('alert')
  await alert.getByText('invalid field: "sttus"').waitFor()
  expect(await alert.textContent()).toContain('did you mean "status"?')
  expect(await text.getAttribute('aria-invalid')).toBe('true')
  expect(await text.getAttribute('aria-description')).toContain('sttus')
  await alert.getByRole('button', { name: 'Correct it' }).click()
  expect(await writtenQuery(page)).toBe("['web']\n| where geo.city == '東京'\tand status == 500")
  await text.fill("['web']\n| where geo.city == '東京'\tand sttus == 500")
  await alert.getByRole('button', { name: 'Go to line 2, column 30' }).click()
  await text.pressSequentially('status or ')
  expect(await writtenQuery(page)).toBe("['web']\n| where geo.city == '東京'\tand status or sttus == 500")
  await text.press('Escape')
  await text.fill("['web'] | where status == 500 | count")
  await text.press('Control+Enter')
  await resultOf(page).getByText('172').waitFor()
  expect([await alert.count(), await text.getAttribute('aria-invalid')]).toEqual([0, 'false'])
})

testInBrowser('a query that finds nothing because of how it is written says so, and a button writes what was meant', async () => {
  await using page = await openQuery("['web'] | where took > 100ms | project took, path")
  const notes = page.locator('.result-notes')
  await notes.getByText('the number "took" is compared with a timespan').waitFor()
  await notes.getByRole('button', { name: 'Correct it' }).click()
  await expectSoon(() => writtenQuery(page), "['web'] | where took > 100 | project took, path")
  await expectSoon(() => notes.getByRole('button').count(), 0)
  await page.goBack()
  await expectSoon(() => writtenQuery(page), "['web'] | where took > 100ms | project took, path")
})

testInBrowser('corrects what is certain with a button, step by step, to a query that runs', async () => {
  await using page = await openQuery("['web'] | where status = 500 AND length(path) > 1 | count()", { expectedErrors: /400/ })
  const [text, alert] = [queryField(page), page.getByRole('alert')]
  const steps = [
    "['web'] | where status == 500 AND length(path) > 1 | count()",
    "['web'] | where status == 500 and length(path) > 1 | count()",
    "['web'] | where status == 500 and length(path) > 1 | count",
    "['web'] | where status == 500 and strlen(path) > 1 | count",
  ]
  for (const step of steps) {
    // Until the query was run, the button corrects what it corrected before.
    const correct = async () => {
      await alert.getByRole('button', { name: 'Correct it' }).click()
      return writtenQuery(page)
    }
    await expectSoon(correct, step)
    await text.press('Control+Enter')
  }
  await resultOf(page).getByText('172').waitFor()
  expect(await alert.count()).toBe(0)
})

testInBrowser('the caret of an error is below its place among wide characters and tabs', async () => {
  await using page = await openQuery("['web'] | where geo.city\t== '東京 😀 é القاهرة' and\tsttus == 1", {
    expectedErrors: /400/,
  })
  const excerpt = page.getByRole('alert').locator('pre')
  await excerpt.waitFor()
  const [placeLeft, caretLeft] = await excerpt.evaluate((pre) => {
    const walk = document.createTreeWalker(pre, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    let place = 0
    let caret = 0
    while (walk.nextNode()) {
      const node = walk.currentNode as Text
      range.setStart(node, 0)
      if (node.data.startsWith('sttus')) place = range.getBoundingClientRect().left
      if (node.data === '^') caret = range.getBoundingClientRect().left
    }
    return [place, caret]
  })
  expect(placeLeft).toBeGreaterThan(100)
  expect(Math.abs((placeLeft ?? 0) - (caretLeft ?? 1e9))).toBeLessThan(1)
})

testInBrowser('shows groups as a table that is sorted by a click, and copies it', async () => {
  await using page = await openQuery("['web'] | summarize n = count(), avg(took), make_set(geo) by geo.city, status", {
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const result = resultOf(page)
  const header = (name: string) => result.getByRole('columnheader', { name, exact: true })
  await result.getByText('8 rows').waitFor()
  const column = async (nth: number) => result.locator(`tbody td:nth-child(${nth})`).allTextContents()
  const names = await result.getByRole('columnheader').allTextContents()
  const n = names.indexOf('n') + 1
  await header('n').getByRole('button').click()
  expect(await header('n').getAttribute('aria-sort')).toBe('ascending')
  const ascending = await column(n)
  expect(ascending).toEqual([...ascending].sort((a, b) => Number(a) - Number(b)))
  await header('n').getByRole('button').click()
  expect(await header('n').getAttribute('aria-sort')).toBe('descending')
  expect((await column(n))[0]).toBe(ascending.at(-1))
  await result.getByRole('button', { name: 'Copy as CSV' }).click()
  await result.getByText('Copied 8 rows').waitFor()
  const csv = await page.evaluate(() => navigator.clipboard.readText())
  expect(csv.split(/\r?\n/)[0]).toBe(names.join(','))
  const saved = async (form: string) => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      result.getByRole('button', { name: `Download ${form}` }).click(),
    ])
    return [download.suggestedFilename(), readFileSync(await download.path(), 'utf8')] as const
  }
  expect(await saved('CSV')).toEqual(['result.csv', csv])
  const [file, json] = await saved('JSON')
  const rows = JSON.parse(json) as Record<string, unknown>[]
  expect([file, rows.length, Object.keys(rows[0] ?? {})]).toEqual(['result.json', 8, names])
  expect(rows.map((row) => row.n)).toEqual((await column(n)).map(Number))
  await page.getByRole('button', { name: 'Copy as curl' }).click()
  await page.getByText('Copied', { exact: true }).waitFor()
  const command = await page.evaluate(() => navigator.clipboard.readText())
  expect(command).toContain(`curl -sS --fail-with-body '${service.url}/v1/datasets/_apl?format=tabular'`)
  expect(command).not.toContain(service.token)
})

testInBrowser('shows the first thousand of many rows, and says so', async () => {
  await using page = await openQuery("['web'] | summarize n = count(), max(took) by path | limit 100000")
  await resultOf(page).getByText('The first 1,000 of 1,200 rows').waitFor()
  expect(await resultOf(page).locator('tbody tr').count()).toBe(1_000)
  await resultOf(page).getByText('the most rows that one answer may have').waitFor()
})

testInBrowser('shows hostile names and values as what they are', async () => {
  const names = Object.keys(HOSTILE).map((name) => `['${name}']`)
  const apl = `['hostile'] | summarize n = count() by ${names.join()}`
  await using page = await openQuery(apl, { viewport: { width: 390, height: 844 } })
  const result = resultOf(page)
  await result.getByText('<script>alert(2)</script><b>bold</b>').waitFor()
  await result.getByText('<img src=x onerror=alert(1)>').waitFor()
  await result.getByText('right\\u{202e}ot tfel').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  const text = queryField(page)
  await text.fill("['hostile'] | where ri")
  await page.getByRole('option', { name: /^right/, selected: true }).waitFor()
  await text.press('Enter')
  expect(await writtenQuery(page)).toBe("['hostile'] | where ['right\\u{202e}ot tfel']")
  await text.pressSequentially(' != "" | count')
  await text.press('Control+Enter')
  await result.getByRole('definition').getByText('1', { exact: true }).waitFor()
})
