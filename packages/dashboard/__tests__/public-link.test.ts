/** A link for people without a token: what it shows, what it cannot be used for, and its end, in a real browser. */
import { beforeAll, expect } from '@jest/globals'
import { openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { annotate, ingest, send } from '../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { markMiddle } from './support/charts.ts'

const RANGE = 'startTime=2026-01-01T00:00:00Z&endTime=2026-01-01T01:00:00Z&utc=true'
const EVENT = { _time: '2026-01-01T00:10:00Z', status: 200 }

const service = serviceForTests()
beforeAll(async () => {
  await ingest(service, 'web', [EVENT])
  await ingest(service, 'secret', [EVENT])
  await annotate(service, { datasets: ['web'], type: 'deploy', title: 'web 1.0.0', time: '2026-01-01T00:20:00Z' })
})

/** Makes a link to the dataset `web` as a person does. */
async function makeLink(): Promise<string> {
  await using page = await openPage(service, `/?datasets=web&fields=true&${RANGE}`)
  await page
    .locator('details', { has: page.locator('.saved-views, .saved-word') })
    .locator('summary')
    .first()
    .click()
  await page.getByRole('button', { name: 'Public link…' }).click()
  await page.getByRole('button', { name: 'Create the link' }).click()
  const link = (await page.locator('.secret').textContent()) ?? ''
  return link
}

testInBrowser('whoever has the link sees the charts without signing in, and it leaves the address at once', async () => {
  const link = await makeLink()
  const secret = link.split('#token=')[1] ?? ''
  expect(secret).toMatch(/^xa[a-z]t-/)
  await using page = await openPage(service, link.slice(service.url.length), { token: null })
  await page.getByRole('button', { name: /^web 1\.0\.0, deploy/ }).waitFor()
  expect(page.url()).not.toContain(secret)
  await markMiddle(page, 'web')
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Public link…' }).count()).toBe(0)
  expect(service.stdout + service.stderr + JSON.stringify(service.requests)).not.toContain(secret)
})

testInBrowser(
  'its token reads these datasets alone, changes nothing, makes no other token, and is revoked like any other',
  async () => {
    const secret = (await makeLink()).split('#token=')[1] ?? ''
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
    const ask = async (method: string, path: string, body?: object) =>
      (await fetch(service.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })).status
    const query = (name: string) => ({
      apl: `['${name}'] | count`,
      startTime: '2026-01-01T00:00:00Z',
      endTime: '2026-01-02T00:00:00Z',
    })
    expect(await ask('POST', '/v1/datasets/_apl?format=tabular', query('web'))).toBe(200)
    expect(await ask('POST', '/v1/datasets/_apl?format=tabular', query('secret'))).toBeGreaterThanOrEqual(403)
    expect(await ask('GET', '/v2/annotations?datasets=secret')).toBe(403)
    expect(await ask('POST', '/v2/annotations', { datasets: ['web'], type: 'deploy' })).toBe(403)
    expect(await ask('POST', '/v1/datasets/web/ingest', [EVENT])).toBe(403)
    expect(await ask('GET', '/v2/tokens')).toBe(403)
    expect(await ask('POST', '/v2/tokens', { name: 'wider', kind: 'personal' })).toBe(403)
    expect(await ask('GET', '/v2/monitors')).toBe(403)
    const tokens = await send<{ id: string; name: string; expiresAt?: string }[]>(service, 'GET', '/v2/tokens')
    const links = tokens.filter(({ name }) => name === 'Public link to web')
    expect(links.every(({ expiresAt = '' }) => Date.parse(expiresAt) < Date.now() + 8 * 86_400_000)).toBe(true)
    for (const { id } of links) await send(service, 'DELETE', `/v2/tokens/${id}`)
    expect(await ask('GET', '/v2/annotations')).toBe(401)
  },
)
