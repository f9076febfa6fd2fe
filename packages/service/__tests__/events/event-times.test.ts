/** Which time an event has, and what remains of the members that may be its time. */
import { expect, test } from '@jest/globals'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { readCases } from '../cases.ts'
import { apl } from '../query/ask.ts'
import { type SendOptions, send } from './send.ts'

type World = SendOptions & { name: string; body: string; field?: string; time?: string; data?: object; where?: string }

const { worlds } = readCases<{ worlds: World[] }>(import.meta.url)
const service = serviceForTests()

test.each(worlds)('$name', async ({ name, body, field, time, data, where = 'true', ...options }) => {
  const dataset = name.replaceAll(' ', '-').replace(/[^a-z-]/gi, '')
  const sentMs = Date.now()
  const answer = await send(service, body, { ...options, dataset })
  expect([answer.body, answer.headers.get('event-time-field')]).toMatchObject([{ ingested: 1, failed: 0 }, field ?? null])
  const [event] = (await apl(service, `['${dataset}'] | where ${where}`, {}, 'legacy')).body.matches
  if (time === undefined) expect(Date.parse(event?._time ?? '')).toBeGreaterThanOrEqual(sentMs)
  else expect(event?._time).toBe(time)
  if (field !== undefined) expect(event?.data).toHaveProperty([field])
  if (data) expect(event?.data).toEqual(data)
})
