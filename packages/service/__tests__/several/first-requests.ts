/**
 * The first requests of a dataset, each larger than what is stored in one piece, at several services at one moment.
 */
import { expect } from '@jest/globals'
import type { RunningService } from '../../../../__tests__/support/service.ts'
import { send } from '../events/send.ts'
import { countEvents } from '../query/ask.ts'

const EVENTS = 40_000
const BODY = JSON.stringify(Array(EVENTS).fill({ text: 'x'.repeat(200) }))

/** The ways in which the requests have keys. */
export const WAYS = ['a key each', 'one without a key', 'one key'] as const

/** Each request is stored, once; those that have one key are one. */
export async function sendFirst(services: readonly RunningService[], way: (typeof WAYS)[number], rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const dataset = `${way} ${round}`.replaceAll(' ', '-')
    const answers = services.map(async (service, index) => {
      const key = way === 'one key' ? dataset : `${dataset}-${index}`
      const headers = way === 'one without a key' && index === 0 ? {} : { 'Idempotency-Key': key }
      let answer = await send(service, BODY, { dataset, headers })
      // Another service has the key, and is not done.
      while (answer.status === 409) answer = await send(service, BODY, { dataset, headers })
      return [answer.status, answer.body.ingested]
    })
    expect(await Promise.all(answers)).toEqual(services.map(() => [200, EVENTS]))
    const stored = (way === 'one key' ? 1 : services.length) * EVENTS
    for (const service of services) expect(await countEvents(service, dataset)).toBe(stored)
  }
}
