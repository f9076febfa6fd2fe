/** What `status.messages` tells the author of a query that runs and may not say what was meant. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type RunningService, startService } from '../../../../__tests__/support/service.ts'
import { ALWAYS, apl, ingest } from './ask.ts'

let service: RunningService
beforeAll(async () => {
  service = await startService()
  await ingest(service, 'web', [
    { _time: '2026-01-01T00:00:00Z', status: 200, path: '/a', old: 1, geo: { city: 'Rome' } },
    { _time: '2026-02-01T00:00:00Z', status: 500, path: '/b' },
  ])
  await ingest(service, 'shop', [{ _time: '2026-02-01T00:00:00Z', old: 'x', sold: 1 }])
})
afterAll(() => service?.[Symbol.asyncDispose]())

const FEBRUARY = { startTime: '2026-02-01T00:00:00Z', endTime: '2026-03-01T00:00:00Z' }

/** Without the message that there is no limit. */
async function messagesOf(text: string, range: object = FEBRUARY): Promise<[code: string, text: string][]> {
  const { status, body } = await apl(service, text, range)
  expect(status).toBe(200)
  return body.status.messages.filter(({ code }) => code !== 'default_limit_warning').map(({ code, msg }) => [code, msg])
}

test('where nothing matches, a field that no event of the range has is named', async () => {
  const absent = (field: string): [string, string] => [
    'unknown_field',
    `no event of the time range has the field "${field}": take a longer range, or look for its name with | getschema`,
  ]
  expect(await messagesOf("['web'] | where old == 1")).toEqual([absent('old')])
  expect(await messagesOf("['web'] | where old == 1 and geo.city == 'Rome' | summarize count() by path")).toEqual([
    absent('old'),
    absent('geo.city'),
  ])
  expect(await messagesOf("['web'] | where old == 1", ALWAYS)).toEqual([])
  expect(await messagesOf("['web'] | where status == 404")).toEqual([])
  expect(await messagesOf("['web'] | where status == 500 | project old")).toEqual([])
})

test('of several datasets one that has the field is enough', async () => {
  expect(await messagesOf("union web, shop | where old == 'y'")).toEqual([])
})

test('a comparison that can never be true, and what is probably meant otherwise, is said', async () => {
  const codes = async (text: string) => (await messagesOf(text)).map(([code]) => code)
  expect(await codes("['web'] | where status == '5xx'")).toEqual(['never_true'])
  expect(await codes("['web'] | where true")).toEqual(['apl_whereclausealwaysevaluatestoTRUEwhichwillincludealldata_1'])
  expect(await codes("['web'] | where path == '/b*'")).toEqual(['likely_mistake'])
  expect(await codes("['web'] | where path =~ '/[ab]'")).toEqual(['likely_mistake'])
  expect(await codes("['web'] | summarize percentile(status, 0.95)")).toEqual(['likely_mistake'])
})
