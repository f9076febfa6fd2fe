/**
 * Retries, budget, abort and redaction with a clock of our own, against a scripted service.
 */
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import {
  type Act,
  hangUp,
  reset,
  type Script,
  silence,
  startScriptedService,
} from '../../../__tests__/support/scripted-service.ts'
import type { Clock } from '../src/clock.ts'
import {
  type ClientError,
  createClient,
  ProtocolError,
  RateLimitError,
  ServerError,
  TimeoutError,
  type Transport,
  WireError,
} from '../src/index.ts'
import { createRedactor } from '../src/redact.ts'

const mark = { datasets: ['web'], type: 'deploy', title: 'v1' }

/** A clock whose sleeps are over at once, and are noted. */
function fastClock(): Clock & { slept: number[] } {
  const slept: number[] = []
  let nowMs = 1_769_860_800_000
  return {
    slept,
    now: () => nowMs,
    elapsedMs: () => nowMs,
    random: () => 0.5,
    async sleep(ms) {
      slept.push(ms)
      nowMs += ms
    },
  }
}

async function withService<T>(
  script: Script,
  work: (
    client: ReturnType<typeof createClient>,
    service: Awaited<ReturnType<typeof startScriptedService>>,
    clock: ReturnType<typeof fastClock>,
  ) => Promise<T>,
): Promise<T> {
  await using service = await startScriptedService(script)
  const clock = fastClock()
  await using client = createClient({ token: 'xaat-secret-token', baseUrl: service.url, clock })
  return await work(client, service, clock)
}

test('waits between tries grow, and Retry-After is kept to', async () => {
  const script: Script = {
    GET: (count) => (count < 4 ? { status: 503, headers: count === 2 ? { 'retry-after': '7' } : {} } : undefined),
  }
  await withService(script, async (client, _, clock) => {
    expect(await client.annotations.list()).toEqual([])
    expect(clock.slept).toEqual([250, 7_000, 1_000])
  })
})

test('onRetry hears of every failure that is not the last', async () => {
  await withService({ GET: () => ({ status: 500 }) }, async (client) => {
    const heard: ClientError[] = []
    const failure = await client.annotations
      .list({}, { timeoutMs: 3_000, onRetry: (error) => heard.push(error) })
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ServerError)
    expect(heard.every((error) => error instanceof ServerError)).toBe(true)
    expect(heard.map(({ attempts }) => attempts)).toEqual(heard.map((_, index) => index + 1))
    expect(failure).toMatchObject({ attempts: heard.length + 1, elapsedMs: expect.any(Number), mayHaveTakenEffect: true })
  })
})

test('a rate limit that outlasts the budget is told with its wait', async () => {
  await withService({ GET: () => ({ status: 429, headers: { 'retry-after': '60' } }) }, async (client, service) => {
    await expect(client.annotations.list()).rejects.toMatchObject({ code: 'rate-limit', retryAfterMs: 60_000 })
    await expect(client.annotations.list()).rejects.toBeInstanceOf(RateLimitError)
    expect(service.requests).toHaveLength(2)
  })
})

test('where nothing listens the whole budget is used, up to the time of one attempt', async () => {
  const transport: Transport = {
    async send() {
      throw new WireError(false, new Error('no network'))
    },
    async close() {},
  }
  for (const chance of [0, 0.5, 0.999]) {
    const { now, elapsedMs, sleep } = fastClock()
    // An attempt takes no time of this clock, so a pause of nothing has to.
    const clock: Clock = { now, elapsedMs, random: () => chance, sleep: (ms, signal) => sleep(Math.max(ms, 1), signal) }
    const from = clock.now()
    const client = createClient({ token: 't', baseUrl: 'https://service.test', transport, clock })
    await expect(client.annotations.list({}, { timeoutMs: 3_000 })).rejects.toMatchObject({ code: 'connection' })
    expect([chance, clock.now() - from >= 2_250, clock.now() - from < 3_000]).toEqual([chance, true, true])
  }
})

test('a deleted annotation whose answer was lost is deleted', async () => {
  await withService({ DELETE: (count) => (count === 1 ? { ...reset, commit: true } : undefined) }, async (client, service) => {
    const { id } = await client.annotations.create(mark)
    await client.annotations.delete(id)
    expect(service.stored).toEqual([])
    await expect(client.annotations.delete(id)).rejects.toMatchObject({ code: 'not-found' })
  })
})

test('a create whose key is still in flight is looked for, not given up', async () => {
  const script: Script = {
    POST: (count) => [{ ...reset }, { status: 409, commit: true, body: '{"message":"in flight"}' }][count - 1],
  }
  await withService(script, async (client, service) => {
    expect(await client.annotations.create(mark)).toMatchObject({ id: 'ann_1' })
    expect(service.stored).toHaveLength(1)
  })
})

test('a create that was repeated unseen may have taken effect, whatever came of the second try', async () => {
  const script: Script = {
    POST: (count) => (count === 1 ? { ...reset, commit: true } : { status: 429, headers: { 'retry-after': '60' } }),
    GET: () => ({ status: 403 }),
  }
  await withService(script, async (client, service) => {
    await expect(client.annotations.create(mark)).rejects.toMatchObject({ code: 'rate-limit', mayHaveTakenEffect: true })
    expect(service.stored).toHaveLength(1)
  })
})

test('a list that is no list is a ProtocolError', async () => {
  await withService({ GET: () => ({ status: 200, body: '{"annotations":[]}' }) }, async (client) => {
    await expect(client.annotations.list({}, { timeoutMs: 2_000 })).rejects.toBeInstanceOf(ProtocolError)
  })
})

test('the abort signal ends a call at once, with its own reason', async () => {
  await withService({ POST: () => silence }, async (client) => {
    const controller = new AbortController()
    const creating = client.annotations.create(mark, { signal: controller.signal })
    setTimeout(() => controller.abort(new Error('enough')), 100)
    await expect(creating).rejects.toThrow('enough')
    await expect(client.annotations.list({}, { signal: controller.signal })).rejects.toThrow('enough')
  })
})

test('a silent service is a TimeoutError', async () => {
  await using service = await startScriptedService({ GET: () => silence })
  await using client = createClient({ token: 't', baseUrl: service.url })
  await expect(client.annotations.list({}, { timeoutMs: 300 })).rejects.toBeInstanceOf(TimeoutError)
})

test('requests go through an injected transport', async () => {
  const seen: string[] = []
  const transport: Transport = {
    async send({ method, url }) {
      seen.push(`${method} ${url.href}`)
      if (seen.length === 1) throw new WireError(false, new Error('no network today'))
      return { status: 200, headers: {}, text: '[]' }
    },
    async close() {},
  }
  const client = createClient({ token: 't', baseUrl: 'https://service.test/base/', transport, clock: fastClock() })
  expect(await client.annotations.list({ datasets: ['a', 'b'] })).toEqual([])
  expect(seen).toEqual(Array(2).fill('GET https://service.test/base/v2/annotations?datasets=a%2Cb'))
})

test.each([
  ['a host that somebody mistyped', 'https://service.test', 'ENOTFOUND', { code: 'config', attempts: 5 }],
  ['name servers that do not answer', 'https://service.test', 'EAI_AGAIN', { code: 'connection', sent: false }],
  ['the default host', 'https://api.axiom.co', 'ENOTFOUND', { code: 'connection', sent: false }],
])('%s: the right error', async (_, baseUrl, code, expected) => {
  const send = () => Promise.reject(new WireError(false, Object.assign(new Error(`getaddrinfo ${code}`), { code })))
  const clock = fastClock()
  const client = createClient({ token: 't', baseUrl, transport: { send, close: async () => {} }, clock })
  await expect(client.annotations.create(mark)).rejects.toMatchObject({ ...expected, mayHaveTakenEffect: false })
  const waitedMs = clock.slept.reduce((sum, ms) => sum + ms)
  expect(waitedMs < 10_000).toBe(expected.code === 'config')
})

test('whatever happens to the answers, there is exactly one annotation, or an error and at most one', async () => {
  const acts: Act[] = [
    { ...reset },
    { ...reset, commit: true },
    { ...hangUp },
    { ...hangUp, commit: true },
    { status: 500 },
    { status: 502, commit: true },
    { status: 429 },
    { status: 201, body: '', commit: true },
    { status: 201, body: '{"id":1}', commit: true },
    { status: 503, headers: { 'retry-after': '2' } },
  ]
  const lookActs: (Act | undefined)[] = [
    undefined,
    undefined,
    undefined,
    { status: 500 },
    { ...reset },
    { status: 200, body: 'x' },
  ]
  const plan = fc.record({
    posts: fc.array(fc.constantFrom(...acts), { maxLength: 6 }),
    looks: fc.array(fc.constantFrom(...lookActs), { maxLength: 8 }),
  })
  const run = async ({ posts, looks }: { posts: Act[]; looks: (Act | undefined)[] }) => {
    const script: Script = { POST: (count) => posts[count - 1], GET: (count) => looks[count - 1] }
    await withService(script, async (client, service) => {
      const result = await client.annotations.create(mark).catch((error: unknown) => error)
      if (result instanceof Error) expect(service.stored.length).toBeLessThanOrEqual(1)
      else expect(service.stored.map(({ id }) => id)).toEqual([(result as { id: string }).id])
    })
  }
  await fc.assert(fc.asyncProperty(plan, run), { numRuns: 300 })
})

test('no spelling of the token survives redaction', () => {
  const token = fc.stringMatching(/^[\x21-\x7e]{8,60}$/)
  const texts = fc.record({ before: fc.string({ maxLength: 5 }), after: fc.string({ maxLength: 5 }) })
  fc.assert(
    fc.property(token, texts, (secret, { before, after }) => {
      const redact = createRedactor(secret)
      const escaped = [...secret].map((character) => `&#${character.charCodeAt(0)};`).join('')
      for (const spelling of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('hex'), escaped]) {
        expect(redact(before + spelling + after).toLowerCase()).not.toContain(spelling.toLowerCase())
      }
      const inBase64 = redact(Buffer.from(`${before}${secret}${after}`).toString('base64'))
      expect(Buffer.from(inBase64.replaceAll('***', ''), 'base64').toString()).not.toContain(secret)
    }),
  )
})
