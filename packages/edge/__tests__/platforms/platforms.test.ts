/**
 * What each platform's requests say, and whose signature they bear. No service runs here.
 */
import { createHmac } from 'node:crypto'
import { PLATFORMS, type PlatformName } from '@deployment-annotations/contract/platform'
import { expect, test } from '@jest/globals'
import { readYaml } from '../../../../__tests__/support/read-yaml.ts'
import type { DeploymentEvent, WebhookContent } from '../../src/platforms/deployment-event.ts'
import { isProved, PLATFORM_OF } from '../../src/platforms/platforms.ts'
import { CASES } from './platform-cases.ts'
import {
  genericEvent,
  githubStatus,
  netlifyDeploy,
  recordedPayloads,
  SECRET,
  signGeneric,
  signGitHub,
  signNetlify,
  signStandard,
  signVercel,
  vercelEvent,
  type Webhook,
} from './webhooks.ts'

const OTHER_SECRET = 'another secret of some length'
const requestOf = ({ body, headers }: Webhook) => ({ body: Buffer.from(body), headers })
const READING = { nowMs: Date.parse('2026-03-01T13:00:00Z') }
const read = (platform: PlatformName, webhook: Webhook): WebhookContent => {
  const content = PLATFORM_OF[platform].read(requestOf(webhook), READING)
  if (Array.isArray(content)) throw new Error('a batch')
  return content
}
function eventOf(platform: PlatformName, webhook: Webhook): DeploymentEvent {
  const reading = read(platform, webhook)
  if ('ignored' in reading) throw new Error(`ignored: ${reading.ignored}`)
  return reading.event
}
const STATES = readYaml<{
  facts: Record<'github' | 'vercel', Record<string, string>>
  anything: unknown[]
  github: [state: string, expected: string][]
  vercel: [type: string, state: string][]
  netlify: [state: string, members: Record<string, unknown>, expected: string, at: string][]
}>(import.meta.url, 'states.yaml')
const ns = (time: string) => BigInt(Date.parse(time)) * 1_000_000n

test('every recorded deployment and deployment status of GitHub is read', () => {
  for (const name of ['deployment', 'deployment_status']) {
    for (const payload of recordedPayloads(name)) {
      const event = eventOf('github', signGitHub(payload, name))
      expect(event).toMatchObject({
        deployment: '145988746',
        facts: {
          project: 'Codertocat/Hello-World',
          commit: 'f95f852',
          environment: expect.stringMatching(/production|github-pages/),
        },
      })
    }
  }
})

test('a recorded GitHub status has the times, the state and the people of its deployment', () => {
  const [payload] = recordedPayloads('deployment_status')
  expect(eventOf('github', signGitHub(payload))).toEqual({
    deployment: '145988746',
    state: 'succeeded',
    atNs: ns('2019-05-15T15:20:55Z'),
    sequence: 209916254,
    queuedNs: ns('2019-05-15T15:20:53Z'),
    facts: STATES.facts.github,
    environments: ['production', ''],
  })
})

test.each(STATES.github)('GitHub’s %s is %s', (state, expected) => {
  expect(eventOf('github', signGitHub(githubStatus(state, '2026-03-01T12:01:00Z'))).state).toBe(expected)
})

test('a GitHub deployment of a tag has the tag as its version, and its log as its address', () => {
  const log = 'https://github.com/Codertocat/Hello-World/actions/runs/1/job/2'
  const payload = githubStatus('failure', '2026-03-01T12:01:00Z', {
    deployment: { ref: 'v1.2.0', production_environment: true, environment: 'eu' },
    status: { log_url: log, description: 'Deploy failed' },
  })
  expect(eventOf('github', signGitHub(payload))).toMatchObject({
    facts: { version: 'v1.2.0', url: log, environment: 'eu' },
    message: 'Deploy failed',
    environments: ['eu', 'production'],
  })
})

test('a GitHub status that has a time is read even if its deployment has none', () => {
  const payload = githubStatus('success', '2026-03-01T12:01:00Z', { deployment: { created_at: undefined } })
  const event = eventOf('github', signGitHub(payload))
  expect(event).toMatchObject({ deployment: '145988746', state: 'succeeded', atNs: ns('2026-03-01T12:01:00Z') })
  expect(event.queuedNs).toBeUndefined()
})

test('a body is read without its byte order mark', () => {
  const { body, headers } = signGitHub(githubStatus('success', '2026-03-01T12:01:00Z'))
  expect(eventOf('github', { body: `\ufeff${body}`, headers }).state).toBe('succeeded')
})

test('GitHub’s form is read as its JSON is', () => {
  const payload = githubStatus('success', '2026-03-01T12:01:00Z')
  const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString()
  const headers = { 'x-github-event': 'deployment_status', 'content-type': 'application/x-www-form-urlencoded' }
  expect(eventOf('github', { body, headers })).toEqual(eventOf('github', signGitHub(payload)))
})

test.each(STATES.vercel)('Vercel’s %s is %s', (type, state) => {
  expect(eventOf('vercel', signVercel(vercelEvent(type, '2026-03-01T12:00:00.250Z')))).toEqual({
    deployment: 'dpl_5fGh2kQ8',
    state,
    atNs: ns('2026-03-01T12:00:00.250Z'),
    facts: STATES.facts.vercel,
    environments: ['production'],
  })
})

test('a promotion at Vercel implies the success, and no target is a preview', () => {
  const payload = vercelEvent('deployment.promoted', '2026-03-01T12:00:00Z', { target: null })
  expect(eventOf('vercel', signVercel(payload))).toMatchObject({ state: 'succeeded', isImplied: true, environments: ['preview'] })
})

test('Vercel’s time may be a text too', () => {
  const payload = { ...vercelEvent('deployment.created', '2026-03-01T12:00:00Z'), createdAt: '2026-03-01T12:00:00.000Z' }
  expect(eventOf('vercel', signVercel(payload)).atNs).toBe(ns('2026-03-01T12:00:00Z'))
})

test.each(STATES.netlify)('Netlify’s %s with %j is %s at %s', async (state, members, expected, at) => {
  const event = eventOf('netlify', await signNetlify(netlifyDeploy(state, members), 'deploy_created'))
  expect(event).toMatchObject({
    deployment: '66f1c0ffee00000000000001',
    state: expected,
    atNs: ns(at),
    queuedNs: ns('2026-03-01T12:00:00.100Z'),
    facts: { project: 'shop', by: 'ada', url: 'https://app.netlify.com/sites/shop/deploys/66f1c0ffee00000000000001' },
    environments: ['production'],
  })
})

test('a generic event is read, and its description is what is deployed or how it ended', () => {
  const members = { branch: 'main', commit: 'abc', by: 'ada', url: 'https://ci.example/7', description: 'Text' }
  const facts = { project: 'shop', environment: 'production', version: 'v2.4.0', branch: 'main', commit: 'abc', by: 'ada' }
  expect(eventOf('generic', signGeneric(genericEvent('started', '2026-03-01T12:00:00Z', members)))).toEqual({
    deployment: 'run-7',
    state: 'started',
    atNs: ns('2026-03-01T12:00:00Z'),
    facts: { ...facts, url: 'https://ci.example/7', change: 'Text' },
    environments: ['production'],
  })
  const failed = eventOf(
    'generic',
    signGeneric(genericEvent('failed', '2026-03-01T13:00:00+01:00', { ...members, deployment: 7 })),
  )
  expect(failed).toMatchObject({ deployment: '7', state: 'failed', atNs: ns('2026-03-01T12:00:00Z'), message: 'Text' })
})

const REFUSED = readYaml<[body: string, code: number, message: string][]>(import.meta.url, 'refused-bodies.yaml')

test.each(REFUSED)('the generic body %s is refused with the rule it breaks', (body, code, message) => {
  expect(() => read('generic', { body, headers: {} })).toThrow(
    expect.objectContaining({ status: 422, body: { code, message: expect.stringContaining(message) } }),
  )
})

test.each(PLATFORMS)('what is not JSON is refused, %s', (platform) => {
  for (const body of ['', '{', '\ufeff{]', 'payload=%7B%7D']) {
    expect(() => read(platform, { body, headers: { 'x-github-event': 'deployment' } })).toThrow('the body is not JSON')
  }
  expect(() => PLATFORM_OF[platform].read({ body: Buffer.from([0x22, 0xff, 0x22]), headers: {} }, READING)).toThrow(
    'not valid UTF-8',
  )
})

const VALUES = [...STATES.anything, 'a'.repeat(5_000)]
const VALID: [PlatformName, unknown, Record<string, string>][] = [
  ['vercel', vercelEvent('deployment.error', '2026-03-01T12:00:00Z'), {}],
  ['github', githubStatus('failure', '2026-03-01T12:00:00Z'), { 'x-github-event': 'deployment_status' }],
  ['netlify', netlifyDeploy('error', { error_message: 'x' }), {}],
  ...CASES.map(({ platform, body, headers = {} }): [PlatformName, unknown, Record<string, string>] => [platform, body, headers]),
]
function expectRead(platform: PlatformName, body: string, headers: Record<string, string>): void {
  for (const one of [PLATFORM_OF[platform].read({ body: Buffer.from(body), headers }, READING)].flat())
    expect('event' in one ? typeof one.event.deployment : typeof one.ignored).toBe('string')
}

test.each(VALID)('a payload with any member replaced by anything is read or ignored, %s', (platform, valid, headers) => {
  for (const value of VALUES) {
    for (const replaced of replacements(valid, value, platform === 'argo-cd' ? 5 : 3))
      expectRead(platform, JSON.stringify(replaced), headers)
  }
})

const BEYOND_BOUNDS = ['1e999', '['.repeat(20_000) + ']'.repeat(20_000)]
test.each(VALID)('a number beyond all bounds, or lists in lists, are read or ignored, %s', (platform, valid, headers) => {
  const text = JSON.stringify(valid)
  for (const { 0: member, index } of text.matchAll(/(?<=:)(?:\d+|"[^"\\]*")(?=[,}])/g)) {
    for (const value of BEYOND_BOUNDS)
      expectRead(platform, text.slice(0, index) + value + text.slice(index + member.length), headers)
  }
})

/** The payload with each of its members in turn, so many levels of objects deep, replaced by the value. */
function* replacements(payload: unknown, value: unknown, depth = 3): Generator<unknown> {
  yield value
  if (depth === 0 || typeof payload !== 'object' || payload === null || Array.isArray(payload)) return
  for (const [name, member] of Object.entries(payload)) {
    for (const replaced of replacements(member, value, depth - 1)) yield { ...payload, [name]: replaced }
  }
}

const SIGNED: [string, PlatformName, (secret?: string) => Webhook | Promise<Webhook>][] = [
  ['vercel', 'vercel', (secret) => signVercel(vercelEvent('deployment.created', '2026-03-01T12:00:00Z'), secret)],
  ['github', 'github', (secret) => signGitHub(githubStatus('success', '2026-03-01T12:00:00Z'), 'deployment_status', secret)],
  ['netlify', 'netlify', (secret) => signNetlify(netlifyDeploy('ready'), 'deploy_created', secret)],
  ['generic, simple', 'generic', (secret) => signGeneric(genericEvent('started', '2026-03-01T12:00:00Z'), secret)],
  [
    'generic, standard',
    'generic',
    (secret) => signStandard(genericEvent('started', '2026-03-01T12:00:00Z'), { ...(secret && { secret }) }),
  ],
]
const isSigned = async (platform: PlatformName, webhook: Webhook, secret = SECRET) =>
  isProved(platform, requestOf(webhook), secret, Date.now())

test.each(SIGNED)('%s: the right signature is recognized, and no other', async (_, platform, sign) => {
  const webhook = await sign()
  expect(await isSigned(platform, webhook)).toBe(true)
  expect(await isSigned(platform, webhook, OTHER_SECRET)).toBe(false)
  expect(await isSigned(platform, await sign(OTHER_SECRET))).toBe(false)
  expect(await isSigned(platform, { ...webhook, body: `${webhook.body} ` })).toBe(false)
  expect(await isSigned(platform, { ...webhook, body: '' })).toBe(false)
  for (const name of Object.keys(webhook.headers).filter((header) => /signature/.test(header))) {
    const right = webhook.headers[name] as string
    const wrong = [
      '',
      right.slice(0, -3),
      `${right}0`,
      right.slice(1),
      'sha256=',
      'v1,',
      '0'.repeat(40),
      right.replace(/^v1/, 'v2'),
    ]
    for (const signature of wrong.filter((other) => other !== right)) {
      expect([signature, await isSigned(platform, { ...webhook, headers: { ...webhook.headers, [name]: signature } })]).toEqual([
        signature,
        false,
      ])
    }
  }
})

test('a signature over text is one over the bytes: what only decodes to the same text is not signed', async () => {
  const webhook = signGeneric({ deployment: '\ufffd' })
  const body = Buffer.from(webhook.body.replace('\ufffd', '\xff'), 'latin1')
  expect(body.toString()).toBe(webhook.body)
  expect(await isProved('generic', { ...webhook, body }, SECRET, 0)).toBe(false)
})

test('a token of Netlify by another issuer, or without the hash of the body, is not right', async () => {
  const webhook = await signNetlify(netlifyDeploy('ready'), 'deploy_created', SECRET, 'somebody')
  expect(await isSigned('netlify', webhook)).toBe(false)
})

test('a standard signature covers id and time, and one of several is enough', async () => {
  const webhook = signStandard({ a: 1 })
  for (const name of ['webhook-id', 'webhook-timestamp']) {
    expect(await isSigned('generic', { ...webhook, headers: { ...webhook.headers, [name]: '1' } })).toBe(false)
  }
  const several = `v1a,x v1,${Buffer.alloc(32).toString('base64')} ${webhook.headers['webhook-signature']}`
  expect(await isSigned('generic', { ...webhook, headers: { ...webhook.headers, 'webhook-signature': several } })).toBe(true)
})

test('a standard signature is right in the published example of the standard', async () => {
  const body = '{"event_type":"ping","data":{"success":true}}'
  const headers = {
    'webhook-id': 'msg_loFOjxBNrRLzqYUf',
    'webhook-timestamp': '1731705121',
    'webhook-signature': 'v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=',
  }
  expect(await isSigned('generic', { body, headers }, 'whsec_plJ3nmyCDGBKInavdOK15jsl')).toBe(true)
})

test('bytes that are no text are signed like any others', async () => {
  const body = Buffer.from([0x22, 0xff, 0x22])
  const signature = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`
  const headers = { 'x-hub-signature-256': signature.toUpperCase().replace('SHA', 'sha') }
  expect(await isProved('github', { headers, body }, SECRET, 0)).toBe(true)
})
