/** How many monitors, notifiers and saved views there may be, which flags of the service say. */
import { expect, test } from '@jest/globals'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { ask, MONITOR } from './http.ts'

const MAX = 25
const BODIES = {
  monitors: { ...MONITOR, aplQuery: "['web'] | count", disabled: true },
  notifiers: { name: 'n', properties: { webhook: { url: 'http://127.0.0.1/' } } },
  'saved-views': { name: 'short', startTime: '2026-01-01T00:00:00Z', endTime: 'now' },
}
const flags = Object.keys(BODIES).flatMap((what) => [`--${what}-max`, String(MAX)])
const service = serviceForTests({ args: [...flags, '--allow-private-notifications'] })

test.each(Object.entries(BODIES))(
  'there are as many %s as the flag says, and all are listed, the oldest first',
  async (what, body) => {
    const made = await Promise.all(Array.from({ length: MAX + 5 }, () => ask(service, 'POST', `/v2/${what}`, { body })))
    const refused = made.flatMap(({ status, body }) => (status === 201 ? [] : [[status, body]]))
    const message = `there can be at most ${MAX} ${what.replace('-', ' ')}; delete one, or start the service with a higher --${what}-max`
    expect(refused).toEqual(Array.from({ length: 5 }, () => [422, { code: 611, message }]))
    const ids = (await ask<{ id: string }[]>(service, 'GET', `/v2/${what}`)).body.map(({ id }) => id)
    expect([ids.length, ids]).toEqual([MAX, [...new Set(ids)].sort()])
  },
)
