/**
 * What each platform's body would be shown as, and bodies of any other form by a mapping. No service runs here.
 */
import type { IntegrationMapping } from '@deployment-annotations/contract/integration'
import { expect, test } from '@jest/globals'
import { CASES } from '../../../edge/__tests__/platforms/platform-cases.ts'
import { checkMapping } from '../../../edge/src/platforms/mapping-expression.ts'
import { previewDeployment } from '../../src/automations/deployments/preview.ts'
import { readCases } from '../cases.ts'

const TABLES = readCases<{
  span: { mapping: Partial<IntegrationMapping>; shown: object }
  mappings: [Partial<IntegrationMapping>, shown: object][]
  steps: [title: string, shown: string | null][]
  refused: [title: string, why: string][]
  results: [status: string, state: string][]
}>(import.meta.url)

const NOW = Date.parse('2026-03-01T13:00:00Z')

test.each(CASES)('$platform: $name', ({ platform, body, headers, marks }) => {
  const shown = previewDeployment({ platform, body, ...(headers && { headers }) }, NOW).marks
  const withoutHashes = shown.map((mark) => (/^[0-9a-f]{64}$/.test(mark.deployment ?? '') ? { ...mark, deployment: '#' } : mark))
  expect(withoutHashes).toEqual(marks)
})

const BODY = {
  run: { id: 'r1', number: 7, status: 'DONE', at: 1772366400, began: '2026-03-01T11:58:00Z', tag: '', sha: 'abc1234', ok: true },
  services: [{ name: 'shop' }, { name: 'api' }],
  'odd key': { 'a.b': 'dotted' },
  links: { self: 'javascript:alert(1)', web: 'https://ci.example/r1' },
}
const mapped = (mapping: Partial<IntegrationMapping>, body: unknown = BODY, headers: Record<string, string> = {}) =>
  previewDeployment({ platform: 'generic', body, headers, mapping: { deployment: '{run.id}', ...mapped.base, ...mapping } }, NOW)
    .marks[0]
mapped.base = { time: '{run.at}' } as Partial<IntegrationMapping>

test('a mapping makes a span of any body', () => {
  expect(mapped(TABLES.span.mapping)).toEqual(TABLES.span.shown)
})

test.each(TABLES.mappings)('a mapping %j shows %j', (mapping, shown) => {
  expect(mapped(mapping)).toMatchObject(shown)
  expect(mapped(mapping)).not.toHaveProperty('url')
})

const STEPS = {
  run: { id: 'r1', at: 1772366400 },
  header: { 'x-job': 'of the body' },
  build: { timestamp: 1772366400000, duration: 90_000, waiting: 0, ref: 'refs/tags/V1.2-rc', log: 'a/b/c.txt' },
  conditions: [null, 'x', { type: 'Available', reason: 'Ready' }, { type: 'Progressing', reason: 'Timeout' }, { type: 7, n: 1 }],
  images: ['ci.example:5000/shop', `shop@sha256:${'ab'.repeat(32)}`, 'ci.example:5000/shop:1.4.0', 'pkg:oci/shop@2.0%2B1?arch=x'],
}
test.each(TABLES.steps)('the steps of %s give %j', (title, shown) => {
  const mark = () => mapped({ title }, STEPS, { 'X-Job': 'deploy-shop' })
  if (shown === null) expect(mark).toThrow('mapping.title')
  else expect(mark()).toMatchObject({ title: shown })
})

test('a pattern in the id chooses the bodies, and parts of an id cannot run into each other', () => {
  const idOf = (deployment: string, body: object) => mapped({ deployment }, body)
  expect(idOf("{job~'deploy-*'}/{n}", { job: 'deploy-shop', n: 7 })).toMatchObject({ deployment: 'deploy-shop/7' })
  expect(idOf("{job~'deploy-*'}/{n}", { job: 'test', n: 7 })).toEqual({
    ignored: "the body has no {job~'deploy-*'}/{n}, which names the deployment",
  })
  const [one, other] = [idOf('{a}/{b}', { a: 'x/y', b: 'z' }), idOf('{a}/{b}', { a: 'x', b: 'y/z' })]
  expect(one?.deployment).toMatch(/^[0-9a-f]{64}$/)
  expect(other?.deployment).toBe('x/y/z')
})

test.each(TABLES.refused)('the expression %j is refused', (title, why) => {
  expect(() => checkMapping({ deployment: '{id}', title })).toThrow(why)
})

test('hostile bodies under every step are read at once', () => {
  const text = 'a'.repeat(800_000)
  const pattern = `${'*a'.repeat(100)}b(*)`
  const title = `{text~'${pattern}'|short~'${pattern}'|list[x=y].z|text~version|text+text|'none'}`
  const texts = '{text}'.repeat(80)
  const finds = `{${'list[x=y]|'.repeat(50)}'none'}`
  const body = { run: { id: 1 }, text, short: text.slice(0, 4_000), list: Array.from({ length: 500_000 }, () => 1) }
  const many = { version: texts, by: texts, description: texts, project: finds, branch: finds, environment: finds, commit: finds }
  const started = performance.now()
  expect(mapped({ ...many, title }, body)).toMatchObject({ title: 'none' })
  expect(mapped({ ...many, deployment: texts, title: finds }, body)).toMatchObject({ title: 'none' })
  expect(performance.now() - started).toBeLessThan(1_000)
})

test('an expression of many braces and alternatives is read at once', () => {
  const title = '{a|'.repeat(170)
  const started = performance.now()
  expect(() => checkMapping({ deployment: '{id}', title })).toThrow(/mapping\.title/)
  expect(performance.now() - started).toBeLessThan(500)
})

test.each(TABLES.results)('the result %s of a CI is %s without a word in the mapping', (status, state) => {
  expect(mapped({ state: '{run.status}' }, { run: { ...BODY.run, status } })).toMatchObject({ state })
})

test('a job that a CI left out or has not begun gets no annotation', () => {
  const ignored = 'the state "manual" gets no annotation'
  expect(mapped({ state: '{run.status}' }, { run: { ...BODY.run, status: 'manual' } })).toMatchObject({ ignored })
})
