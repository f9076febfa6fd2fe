/**
 * The short form of `bench/mixed.ts`: a few seconds of everything at once, judged by what is there and not by time.
 */
import { expect, test } from '@jest/globals'
import { runs, tried } from '../../../__tests__/support/long.ts'
import { startService } from '../../../__tests__/support/service.ts'
import { countEvents, runMixedLoad } from '../../../bench/support/mixed.ts'
import { ask } from './http.ts'

const SECONDS = runs(4, 1_800)

test(
  'under a mixed load nothing fails, and all that was acknowledged is there',
  async () => {
    await using service = await startService()
    const { answers, acknowledged, kept } = await runMixedLoad(service, SECONDS)
    expect(new Set(answers.map(({ kind }) => kind)).size).toBe(11)
    tried(answers.length)
    const meant = new Set([200, 201, 204, 503])
    expect(answers.filter(({ status }) => !meant.has(status))).toEqual([])
    expect(await countEvents(service)).toBe(acknowledged)
    for (const id of kept) expect((await ask(service, 'GET', `/v2/annotations/${id}`)).status).toBe(200)
  },
  SECONDS * 2_000 + 120_000,
)
