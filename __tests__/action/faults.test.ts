/**
 * The create strategy against a misbehaving service, judged by what the service has stored.
 * Fast cases only: each is one run of the bundle with a small budget.
 */
import { expect, test } from '@jest/globals'
import { freePort } from '../support/free-port.ts'
import { readYaml } from '../support/read-yaml.ts'
import { runAction } from '../support/run-action.ts'
import { type Act, hangUp, raw, reset, type Script, silence, startScriptedService } from '../support/scripted-service.ts'

const TOKEN = 'xaat-0123456789abcdef'

async function markUnder(script: Script, inputs: Record<string, string> = {}) {
  await using service = await startScriptedService(script)
  const run = await runAction({
    token: TOKEN,
    datasets: 'web, api',
    type: 'deploy',
    title: 'v1',
    baseUrl: service.url,
    timeoutSeconds: '6',
    ...inputs,
  })
  for (const text of [run.stderr, run.stdout.replace(`::add-mask::${TOKEN}`, '')]) expect(text).not.toContain(TOKEN)
  return { run, stored: service.stored, requests: service.requests }
}

const created = (id: string) => ({ exitCode: 0, errors: [], warnings: [], outputs: { id, outcome: 'created' } })
const once = (act: Act) => (count: number) => (count === 1 ? act : undefined)

const SWITCHING = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'

/** Every one of these is over after the first request; exactly one annotation must come of it. */
const passing: [string, Act][] = [
  ['a reset before the request took effect', reset],
  ['a reset after the request took effect', { ...reset, commit: true }],
  ['a connection closed without an answer', hangUp],
  ['a connection closed after the request took effect', { ...hangUp, commit: true }],
  ['a 500', { status: 500, body: '{"message":"oops"}' }],
  [
    'a 502 page from a proxy',
    { status: 502, body: '<html><title>502 Bad Gateway</title></html>', headers: { 'content-type': 'text/html' } },
  ],
  ['a 504 after the request took effect', { status: 504, commit: true }],
  ['a 503 with Retry-After', { status: 503, headers: { 'retry-after': '1' } }],
  ['a 429 with Retry-After', { status: 429, headers: { 'retry-after': '1' }, body: '{"message":"rate limit exceeded"}' }],
  ['a 408', { status: 408 }],
  ['a 421', { status: 421 }],
  ['a 423', { status: 423 }],
  ['a 425', { status: 425 }],
  ['a switch of protocols', raw(SWITCHING)],
  ['a switch of protocols after the request took effect', { ...raw(SWITCHING), commit: true }],
  ['an empty 201 after the request took effect', { status: 201, body: '', commit: true }],
  ['JSON cut short after the request took effect', { status: 201, body: '{"id":"ann_', commit: true }],
  ['an answer without an id after the request took effect', { status: 201, body: '{"type":"deploy"}', commit: true }],
  [
    'a numeric id after the request took effect',
    { status: 201, body: '{"id":1,"type":"a","time":"b","datasets":[]}', commit: true },
  ],
  ['a body shorter than announced', { ...raw('HTTP/1.1 201 Created\r\ncontent-length: 500\r\n\r\n{"id":'), commit: true }],
  ['chunks that break off', { ...raw('HTTP/1.1 201 Created\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"id"\r\n'), commit: true }],
  ['bytes that are not HTTP', raw('SSH-2.0-OpenSSH_9.2\r\n')],
  [
    'another protocol after the request took effect',
    { ...raw('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n'), commit: true },
  ],
  ['two lengths', { ...raw('HTTP/1.1 201 Created\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello!'), commit: true }],
  ['a giant header', { ...raw(`HTTP/1.1 201 Created\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`), commit: true }],
  ['silence after the request took effect', { ...silence, commit: true }],
]
test.concurrent.each(passing)('%s: exactly one annotation, and its id', async (_, act) => {
  const { run, stored } = await markUnder({ POST: once(act) })
  expect(stored).toHaveLength(1)
  expect(run).toMatchObject(created(String(stored[0]?.id)))
})

test.concurrent('the same bytes are sent however often', async () => {
  const { run, requests, stored } = await markUnder({ POST: (count) => (count < 3 ? reset : undefined) })
  const posts = requests.filter(({ method }) => method === 'POST')
  expect(posts).toHaveLength(3)
  expect(new Set(posts.map(({ body, headers }) => body + headers['idempotency-key'])).size).toBe(1)
  expect(run).toMatchObject(created(String(stored[0]?.id)))
})

test.concurrent('before a request is sent again the service is asked twice for the annotation', async () => {
  const { requests } = await markUnder({ POST: once({ status: 500 }) })
  expect(requests.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET', 'POST'])
  const query = new URL(requests[1]?.path ?? '', 'http://x').searchParams
  expect(query.get('datasets')).toBe('web,api')
  expect(Date.parse(query.get('end') ?? '') - Date.parse(query.get('start') ?? '')).toBe(2_000)
})

test.concurrent('a token that may not list resends once, says so, and then gives up', async () => {
  const { run, requests } = await markUnder({
    POST: () => ({ status: 500 }),
    GET: () => ({ status: 403, body: '{"message":"no annotations|read"}' }),
  })
  expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(2)
  expect(run.log.join('\n')).toMatch(/answered 403: no annotations\|read; trying again/)
  expect(run).toMatchObject({ exitCode: 0, outputs: { outcome: 'unreachable', id: '' } })
  expect(run.warnings.join()).toMatch(/The annotation may exist all the same/)
})

const ADVICE = readYaml<[status: number, advice: string][]>(import.meta.url, 'advice.yaml')

test.concurrent.each(ADVICE)('%d fails the step at once, with the words of the service', async (status, advice) => {
  const body = JSON.stringify({ code: status, message: 'the very words' })
  const { run, requests } = await markUnder({ POST: () => ({ status, body, headers: { 'x-axiom-trace-id': 'trace-77' } }) })
  expect(requests).toHaveLength(1)
  expect(run).toMatchObject({ exitCode: 1, outputs: {}, warnings: [] })
  expect(run.errors).toEqual([expect.stringContaining(advice)])
  expect(run.errors[0]).toMatch(
    new RegExp(
      `^Could not create the annotation: POST http://127\\.0\\.0\\.1:\\d+/v2/annotations answered ${status}: the very words\\. Trace id trace-77\\. 1 attempt in \\d+\\.\\d s\\.`,
    ),
  )
})

test.concurrent.each([
  ['warn', 'a warning, and the job goes on', { exitCode: 0, errors: [] }],
  ['fail', 'an error, which fails the job', { exitCode: 1, warnings: [] }],
])('with onOutage: %s a service that stays down is %s', async (onOutage, _, expected) => {
  const down = { status: 503, body: '{"message":"maintenance"}' }
  const { run } = await markUnder({ POST: () => down, GET: () => down }, { timeoutSeconds: '2', onOutage })
  expect(run).toMatchObject({ ...expected, outputs: { outcome: 'unreachable', id: '', annotation: 'null' } })
  const why = onOutage === 'warn' ? '"onOutage" is "warn"' : 'Try again later'
  expect([...run.warnings, ...run.errors]).toEqual([
    expect.stringMatching(`answered 503: maintenance\\..*\\d attempts in \\d\\.\\d s\\..*${why}`),
  ])
})

const drip: Act = {
  socket: (socket) => {
    socket.write('HTTP/1.1 201 Created\r\ncontent-length: 100\r\n\r\n')
    const timer = setInterval(() => socket.write(' '), 200)
    socket.on('close', () => clearInterval(timer))
  },
}
test.each([
  ['is silent', silence],
  ['drips its answer', drip],
])('a service that %s is given up when the budget is spent', async (_, act) => {
  const { run, stored } = await markUnder({ POST: () => act, GET: () => act }, { timeoutSeconds: '3' })
  expect(run).toMatchObject({ exitCode: 0, outputs: { outcome: 'unreachable' } })
  expect(run.warnings).toEqual([expect.stringMatching(/no complete answer within 2 s\..*in 3\.\d s/)])
  expect(run.durationMs).toBeLessThan(5_000)
  expect(stored).toEqual([])
})

test.concurrent('a day of Retry-After is not waited for', async () => {
  const { run, requests } = await markUnder({ POST: () => ({ status: 429, headers: { 'retry-after': '86400' } }) })
  expect(requests).toHaveLength(1)
  expect(run.warnings).toEqual([expect.stringMatching(/The service asks to wait 86400 s\./)])
})

test.concurrent('a Retry-After date is taken against the clock of the service', async () => {
  const headers = { date: 'Wed, 01 Jan 2020 00:00:00 GMT', 'retry-after': 'Wed, 01 Jan 2020 00:00:01 GMT' }
  const { run, stored } = await markUnder({ POST: once({ status: 429, headers }) })
  expect(run).toMatchObject(created(String(stored[0]?.id)))
  expect(run.durationMs).toBeGreaterThan(1_000)
})

test('an endless answer is cut off before it fills the memory', async () => {
  let pouredMiB = 0
  const flood: Act = {
    commit: true,
    socket: (socket) => {
      socket.write('HTTP/1.1 201 Created\r\n\r\n')
      const chunk = Buffer.alloc(1 << 20, 32)
      const pour = () => {
        do pouredMiB++
        while (!socket.destroyed && socket.write(chunk))
      }
      socket.on('drain', pour)
      pour()
    },
  }
  const { run, stored } = await markUnder({ POST: once(flood) })
  expect(run).toMatchObject(created(String(stored[0]?.id)))
  // 16 MiB are read, and what the sockets hold.
  expect(pouredMiB).toBeLessThan(64)
})

test.concurrent.each(['warn', 'fail'])(
  'an HTML page with status 200 is no success, and ends soon, by onOutage: %s',
  async (onOutage) => {
    const page = { status: 200, body: '<html><title>Sign in</title></html>', headers: { 'content-type': 'text/html' } }
    const { run, requests } = await markUnder({ POST: () => page, GET: () => page }, { timeoutSeconds: '30', onOutage })
    expect(run.exitCode).toBe(onOutage === 'warn' ? 0 : 1)
    expect(onOutage === 'warn' ? run.warnings : run.errors).toEqual([
      expect.stringMatching(/answered 200 without JSON: <html><title>Sign in.*Check "baseUrl"/),
    ])
    expect(requests.length).toBeLessThanOrEqual(4)
    expect(run.durationMs).toBeLessThan(10_000)
  },
)

test.concurrent.each([302, 307])('a %d to another host is not followed: the token stays', async (status) => {
  await using elsewhere = await startScriptedService()
  const { run, stored } = await markUnder({ POST: () => ({ status, headers: { location: `${elsewhere.url}/v2/annotations` } }) })
  expect(elsewhere.requests).toEqual([])
  expect(stored).toEqual([])
  expect(run.exitCode).toBe(1)
  expect(run.errors).toEqual([
    expect.stringMatching(
      new RegExp(`answered ${status}: a redirect to ${elsewhere.url}/v2/annotations, where the token must not go`),
    ),
  ])
})

test.concurrent.each([301, 302, 307, 308])('a %d within the service is followed with method and body', async (status) => {
  const { run, requests, stored } = await markUnder({ POST: once({ status, headers: { location: '/v2/annotations?moved' } }) })
  expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /v2/annotations', 'POST /v2/annotations?moved'])
  expect(requests[1]?.body).toBe(requests[0]?.body)
  expect(run).toMatchObject(created(String(stored[0]?.id)))
})

test.concurrent('redirects in a circle end', async () => {
  const { run, requests } = await markUnder({ POST: () => ({ status: 308, headers: { location: '/v2/annotations' } }) })
  expect(requests).toHaveLength(4)
  expect(run.errors).toEqual([expect.stringMatching(/more than 3 redirects/)])
})

test('a refused connection is a warning that names the address', async () => {
  await using gone = await startScriptedService()
  await gone.close()
  const run = await runAction({ token: TOKEN, datasets: 'web', type: 'deploy', baseUrl: gone.url, timeoutSeconds: '2' })
  expect(run).toMatchObject({ exitCode: 0, outputs: { outcome: 'unreachable' } })
  expect(run.warnings).toEqual([
    expect.stringMatching(new RegExp(`connect ECONNREFUSED 127.0.0.1:${gone.port}.*Check "baseUrl".*`)),
  ])
  expect(run.warnings.join()).not.toMatch(/may exist/)
})

test('a service that comes up late is waited for', async () => {
  const port = await freePort()
  const running = runAction({
    token: TOKEN,
    datasets: 'web',
    type: 'deploy',
    baseUrl: `http://127.0.0.1:${port}`,
    timeoutSeconds: '15',
  })
  await new Promise((resolve) => setTimeout(resolve, 700))
  await using service = await startScriptedService({}, { port })
  expect(await running).toMatchObject(created('ann_1'))
  expect(service.stored).toHaveLength(1)
})
