/**
 * What each platform's body would be shown as, and bodies of any other form by a mapping. No service runs here.
 */
import type { IntegrationMapping } from '@deployment-annotations/contract/schemas/integration'
import { expect, test } from '@jest/globals'
import { previewDeployment } from '../../src/automations/deployments/preview.ts'
import { checkMapping } from '../../src/automations/integrations/mapping-expression.ts'
import { CASES } from './platform-cases.ts'

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
const mapped = (mapping: Partial<IntegrationMapping>, body: unknown = BODY) =>
  previewDeployment({ platform: 'generic', body, mapping: { deployment: '{run.id}', ...mapped.base, ...mapping } }, NOW).marks[0]
mapped.base = { time: '{run.at}' } as Partial<IntegrationMapping>

test('a mapping makes a span of any body', () => {
  const mapping = {
    state: '{run.status}',
    states: { done: 'failed' as const },
    start: '{run.began}',
    title: "{services[0].name} {run.tag|run.sha|'none'} #{run.number}",
    project: '{$.services[1].name}',
    environment: '{["odd key"]["a.b"]}',
    url: '{links.web}',
    description: 'it broke',
  }
  expect(mapped(mapping)).toEqual({
    deployment: 'r1',
    state: 'failed',
    time: '2026-03-01T11:58:00Z',
    endTime: '2026-03-01T12:00:00Z',
    title: 'shop abc1234 #7 failed',
    description: 'Failed after 2 min: it broke\n\nEnvironment `dotted`',
    type: 'deploy',
    url: 'https://ci.example/r1',
  })
})

test.each([
  [{ state: '{run.ok}' }, { state: 'succeeded' }],
  [{ state: '{run.status}' }, { state: 'succeeded' }],
  [{ state: '{run.status}', states: { DONE: 'ignored' as const } }, { ignored: 'the state "DONE" is none that is marked' }],
  [{ state: '{run.sha}' }, { ignored: 'the state "abc1234" is none that is marked' }],
  [{ state: '{run.nothing}' }, { ignored: 'the body has no {run.nothing}, which says the state' }],
  [{ deployment: '{run.id}/{run.nothing}' }, { ignored: 'the body has no {run.id}/{run.nothing}, which names the deployment' }],
  [{ time: '{run.sha}' }, { ignored: 'the time "abc1234" cannot be read' }],
  [{ time: '{run.nothing}' }, { time: '2026-03-01T13:00:00Z', endTime: '2026-03-01T13:00:00Z' }],
  [{ url: '{links.self}' }, { state: 'succeeded' }],
  [{ title: '{run.nothing} {run.tag}' }, { title: 'Deployment' }],
  [{ title: '{run.constructor.name|run.__proto__|services.length}' }, { title: '2' }],
])('a mapping %j shows %j', (mapping, shown) => {
  expect(mapped(mapping)).toMatchObject(shown)
  expect(mapped(mapping)).not.toHaveProperty('url')
})

test.each(['{', '}', '{a', 'a}', '{}', '{a..b}', '{a[x]}', '{a|}', "{'a}", '{{a}}', '{a["b]}', '{a[0}', '{.}'])(
  'the expression %j is refused',
  (title) => {
    expect(() => checkMapping({ deployment: '{id}', title })).toThrow(/mapping\.title: /)
  },
)

test('an expression of many braces and alternatives is read at once', () => {
  const title = '{a|'.repeat(170)
  const started = performance.now()
  expect(() => checkMapping({ deployment: '{id}', title })).toThrow(/mapping\.title/)
  expect(performance.now() - started).toBeLessThan(500)
})
