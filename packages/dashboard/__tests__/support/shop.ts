/** A shop of which a release hurts now: what the tests of Home, of the releases and of the panel look at. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import { send } from '../../../../__tests__/support/fill.ts'
import type { RunningService } from '../../../../__tests__/support/service.ts'
import { until } from '../../../../__tests__/support/until.ts'

const NOW_MS = Date.now()
export const ago = (minutes: number) => new Date(NOW_MS - minutes * UNIT_MS.m).toISOString()
export const MESSAGE = 'payment timeout after 3000 ms'

interface Requests {
  /** Minutes ago. */
  from: number
  until?: number
  version: string
  /** One in so many fails. */
  failsEvery?: number
  /** Writes routes and messages. */
  say?: (text: string) => string
}

/** 200 requests a minute, of which some fail, and of version 2.15.0 also every sixth checkout. */
export function requests({ from, until: to = 0, version, failsEvery = 100, say = (text) => text }: Requests): object[] {
  return Array.from({ length: (from - to) * 200 }, (_, at) => {
    const isNew = version === '2.15.0' && at % 60 === 30
    const fails = at % failsEvery === 7
    const route = at % 10 === 0 ? '/checkout' : ['/cart', '/login', '/search'][at % 3]
    return {
      _time: new Date(NOW_MS - from * UNIT_MS.m + (at * UNIT_MS.m) / 200).toISOString(),
      status: fails || isNew ? 500 : 200,
      route: say(route ?? ''),
      region: ['eu', 'us'][Math.floor(at / 7) % 2],
      version,
      duration_ms: 60 + (at % 31),
      ...(fails && { message: 'upstream closed' }),
      ...(isNew && { message: say(MESSAGE) }),
    }
  })
}

/** Waits until so many annotations were judged as worse. */
export const untilWorse = (service: RunningService, count = 1): Promise<void> =>
  until('the harm', async () => (await send<Annotation[]>(service, 'GET', '/v2/annotations?verdict=worse')).length >= count)
