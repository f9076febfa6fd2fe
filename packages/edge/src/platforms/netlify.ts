/**
 * Netlify: deploy notifications by "HTTP POST request", whose body is the deploy as Netlify's API has it, and whose signature
 * is a JSON Web Token that holds the body's hash. https://docs.netlify.com/site-deploys/notifications, read 2026-11.
 * The header X-Netlify-Event is sent and not documented, so that it only leaves out what says nothing of start and end.
 */
import { createHash } from 'node:crypto'
import { jwtVerify } from 'jose'
import type { BodyKind } from './mapping.ts'
import { headerOf, type WebhookRequest } from './platform.ts'
import { presetPlatform } from './preset.ts'
import { isEqual } from './signature.ts'

const DEPLOY: BodyKind = {
  deployment: '{id}',
  state: '{state}',
  states: { rejected: 'canceled' },
  unknownState: 'a deploy in an unknown state',
  time: '{updated_at}',
  queued: '{created_at}',
  description: '{error_message}',
  project: '{name}',
  environment: '{context}',
  version: '{commit_ref}',
  branch: '{branch}',
  commit: '{commit_ref}',
  by: '{committer}',
  change: '{title}',
  url: '{admin_url}/deploys/{id}',
  urlElse: '{deploy_ssl_url}',
}

export const netlify = presetPlatform({
  proofs: [
    { header: 'X-Webhook-Signature', form: '<JSON Web Token, HS256, with iss "netlify" and the body\'s sha256>', isRight },
  ],
  otherwise: 'a deploy without an id, a state or a time',
  kinds: [
    {
      // A restored, locked or deleted deploy is sent with the state it had, and a later time.
      when: "{header.x-netlify-event~'deploy_deleted'|header.x-netlify-event~'deploy_*locked'|header.x-netlify-event~'deploy_restored'}",
      ignored: 'not about the start or end of a deploy',
    },
    {
      ...DEPLOY,
      when: "{state~'new'|state~'enqueued'|state~'pending_review'|state~'accepted'}{created_at}",
      state: 'queued',
      time: '{created_at}',
    },
    // What is between `building` and `ready` is of a build that goes on.
    {
      ...DEPLOY,
      when: "{state~'upload*'|state~'prepar*'|state~'process*'|state~'retrying'}{updated_at}",
      state: 'started',
    },
    // Nothing but the message tells a canceled build from one that failed.
    {
      ...DEPLOY,
      when: "{state~'error'}{error_message~'canceled*'|error_message~'skipped*'|skipped~'true'}{updated_at}",
      state: 'canceled',
    },
    { ...DEPLOY, when: "{state~'ready'}{published_at|updated_at}", time: '{published_at|updated_at}' },
    { ...DEPLOY, when: '{state}{updated_at}' },
  ],
})

async function isRight(request: WebhookRequest, secret: string, nowMs: number): Promise<boolean> {
  try {
    const { payload } = await jwtVerify(headerOf(request, 'x-webhook-signature'), new TextEncoder().encode(secret), {
      algorithms: ['HS256'],
      issuer: 'netlify',
      currentDate: new Date(nowMs),
    })
    const hash = typeof payload.sha256 === 'string' ? Buffer.from(payload.sha256, 'hex') : Buffer.alloc(0)
    return isEqual(createHash('sha256').update(request.body).digest(), hash)
  } catch {
    // Another secret, another form, another issuer: this secret did not sign it, which is all that is asked here.
    return false
  }
}
