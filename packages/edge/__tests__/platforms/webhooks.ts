/**
 * Webhooks of the four platforms, as they send and sign them, and an integration to receive them.
 * GitHub's payloads are recorded ones. Those of Vercel and Netlify are made after their documentation, with invented values.
 */
import { createHash, createHmac, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { MadeIntegration, WebhookResult } from '@deployment-annotations/contract/integration'
import type { PlatformName } from '@deployment-annotations/contract/platform'
import { SignJWT } from 'jose'
import type { RunningService } from '../../../../__tests__/support/service.ts'
import { type Answer, ask } from '../../../service/__tests__/http.ts'

export interface Webhook {
  body: string
  headers: Record<string, string>
}

type Payload = Record<string, unknown>

export const SECRET = 'whsec_dGhpcyBpcyBhIHNlY3JldCBmb3IgdGVzdHMgb25seSE='

/** @param settings as a create sends them, without the platform @returns the id of the new integration */
export async function makeIntegration(
  service: Pick<RunningService, 'url' | 'token'>,
  platform: PlatformName,
  settings: Partial<Omit<MadeIntegration, 'id' | 'platform'>> = {},
): Promise<string> {
  const body = { platform, datasets: ['web'], secret: SECRET, ...settings }
  const { status, body: made } = await ask<MadeIntegration>(service, 'POST', '/v2/integrations', { body })
  if (status !== 201) throw new Error(`POST /v2/integrations answered ${status}: ${JSON.stringify(made)}`)
  return made.id
}

export function deliver(
  service: Pick<RunningService, 'url' | 'token'>,
  platform: PlatformName,
  { body, headers }: Webhook,
): Promise<Answer<WebhookResult & { code?: number; message?: string }>> {
  return ask(service, 'POST', `/v1/integrations/${platform}`, { token: null, body, headers })
}

const hmac = (hash: string, secret: string, body: string) => createHmac(hash, secret).update(body).digest('hex')

export function signGitHub(payload: unknown, event = 'deployment_status', secret = SECRET): Webhook {
  const body = JSON.stringify(payload)
  return { body, headers: { 'x-github-event': event, 'x-hub-signature-256': `sha256=${hmac('sha256', secret, body)}` } }
}

export function signVercel(payload: unknown, secret = SECRET): Webhook {
  const body = JSON.stringify(payload)
  return { body, headers: { 'x-vercel-signature': hmac('sha1', secret, body) } }
}

export async function signNetlify(payload: unknown, event: string, secret = SECRET, issuer = 'netlify'): Promise<Webhook> {
  const body = JSON.stringify(payload)
  const sha256 = createHash('sha256').update(body).digest('hex')
  const token = await new SignJWT({ iss: issuer, sha256 }).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(secret))
  return { body, headers: { 'x-netlify-event': event, 'x-webhook-signature': token } }
}

export function signGeneric(payload: unknown, secret = SECRET): Webhook {
  const body = JSON.stringify(payload)
  return { body, headers: { 'x-signature-256': `sha256=${hmac('sha256', secret, body)}` } }
}

export function signStandard(
  payload: unknown,
  { secret = SECRET, atMs = Date.now(), id = randomUUID() as string } = {},
): Webhook {
  const body = JSON.stringify(payload)
  const timestamp = String(Math.floor(atMs / 1_000))
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { body, headers: { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` } }
}

interface Recorded {
  name: string
  examples: Payload[]
}
const recorded = createRequire(import.meta.url)('@octokit/webhooks-examples/api.github.com/index.json') as Recorded[]

/** The payloads that GitHub sent for an event. */
export function recordedPayloads(event: string): Payload[] {
  const found = recorded.find(({ name }) => name === event)
  if (!found) throw new Error(`there is no recorded ${event}`)
  return structuredClone(found.examples)
}

/** A recorded deployment status with another state, time and what else is given. */
export function githubStatus(state: string, at: string, { id = 145988746, deployment = {}, status = {} } = {}): Payload {
  const [payload] = recordedPayloads('deployment_status') as [{ deployment_status: Payload; deployment: Payload }]
  Object.assign(payload.deployment, { id, created_at: '2026-03-01T12:00:00Z' }, deployment)
  Object.assign(payload.deployment_status, { state, created_at: at, updated_at: at, id: Date.parse(at) / 1_000 }, status)
  return payload as unknown as Payload
}

interface Documented {
  vercel: Payload & { payload: Payload & { deployment: Payload; links: Payload } }
  netlify: Payload
}
const documented = () => JSON.parse(readFileSync(new URL('documented-events.json', import.meta.url), 'utf8')) as Documented

export function vercelEvent(
  type: string,
  at: string,
  { id = 'dpl_5fGh2kQ8', target = 'production' as string | null } = {},
): Payload {
  const { vercel } = documented()
  Object.assign(vercel, { id: `evt_${type}`, type, createdAt: Date.parse(at) })
  Object.assign(vercel.payload, { target })
  Object.assign(vercel.payload.deployment, { id })
  Object.assign(vercel.payload.links, { deployment: `https://vercel.com/team/shop/${id}` })
  return vercel
}

export function netlifyDeploy(state: string, members: Payload = {}): Payload {
  return { ...documented().netlify, state, ...members }
}

/** @returns a CDEvent of version 0.4 */
export const cdEvent = (type: string, content: object, subject: object = {}, context: object = {}) => ({
  context: {
    version: '0.4.1',
    id: '271069a8-fc18-44f1-b38f-9d70a1695819',
    source: '/pipelines/shop',
    type: `dev.cdevents.${type}`,
    timestamp: '2026-03-01T12:00:00.123Z',
    ...context,
  },
  subject: { id: 'shop', source: '/pipelines/shop', type: 'service', content, ...subject },
})

export function genericEvent(status: string, time: string, members: Payload = {}): Payload {
  return { deployment: 'run-7', status, time, project: 'shop', environment: 'production', version: 'v2.4.0', ...members }
}
