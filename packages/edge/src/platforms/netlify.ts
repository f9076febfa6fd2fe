/**
 * Netlify: deploy notifications by "HTTP POST request", whose body is the deploy as Netlify's API has it, and whose signature
 * is a JSON Web Token that holds the body's hash. https://docs.netlify.com/site-deploys/notifications, read 2026-11.
 * The header X-Netlify-Event is sent and not documented, so that it only leaves out what says nothing of start and end.
 */
import { createHash } from 'node:crypto'
import type { IntegrationMapping } from '@deployment-annotations/contract/schemas/integration'
import { jwtVerify } from 'jose'
import { stateOf } from './mapping.ts'
import { decodeUtf8, firstLine, idOf, memberAt, parseJson, shortCommit, textOf, timeOf, urlOf } from './payload.ts'
import { headerOf, type Platform, type WebhookRequest } from './platform.ts'
import { isEqual } from './signature.ts'

/** What a deploy's own words mean; those between `building` and `ready` are of a build that goes on. */
const STATES: IntegrationMapping['states'] = {
  new: 'queued',
  enqueued: 'queued',
  pending_review: 'queued',
  accepted: 'queued',
  uploading: 'started',
  uploaded: 'started',
  preparing: 'started',
  prepared: 'started',
  processing: 'started',
  processed: 'started',
  retrying: 'started',
  rejected: 'canceled',
}

/** A restored, locked or deleted deploy is sent with the state it had, and a later time. */
const OTHER_EVENTS = /^deploy_(?:deleted|locked|unlocked|restored)$/

export const netlify: Platform = {
  proofs: [
    { header: 'X-Webhook-Signature', form: '<JSON Web Token, HS256, with iss "netlify" and the body\'s sha256>', isRight },
  ],

  read(request) {
    const deploy = parseJson(decodeUtf8(request.body))
    if (OTHER_EVENTS.test(headerOf(request, 'x-netlify-event'))) return { ignored: 'not about the start or end of a deploy' }
    const known = stateOf(memberAt(deploy, 'state'), STATES)
    if (!known) return { ignored: 'a deploy in an unknown state' }
    const message = textOf(memberAt(deploy, 'error_message'))
    // Nothing but the message tells a canceled build from one that failed.
    const isCanceled =
      known === 'failed' && (/^(?:canceled|skipped)\b/i.test(message ?? '') || memberAt(deploy, 'skipped') === true)
    const state = isCanceled ? 'canceled' : known
    const id = idOf(memberAt(deploy, 'id'))
    const queuedNs = timeOf(memberAt(deploy, 'created_at'))
    const updatedNs = timeOf(memberAt(deploy, 'updated_at'))
    const atNs = state === 'queued' ? queuedNs : (state === 'succeeded' && timeOf(memberAt(deploy, 'published_at'))) || updatedNs
    if (id === undefined || atNs === undefined) return { ignored: 'the payload names no deploy with a time' }

    const environment = textOf(memberAt(deploy, 'context'))
    const commit = shortCommit(textOf(memberAt(deploy, 'commit_ref')))
    const site = urlOf(memberAt(deploy, 'admin_url'))
    return {
      event: {
        deployment: id,
        state,
        atNs,
        queuedNs,
        message,
        facts: {
          project: textOf(memberAt(deploy, 'name')),
          environment,
          version: commit,
          branch: textOf(memberAt(deploy, 'branch')),
          commit,
          by: textOf(memberAt(deploy, 'committer')),
          change: firstLine(memberAt(deploy, 'title')),
          url: urlOf(site && `${site}/deploys/${encodeURIComponent(id)}`, memberAt(deploy, 'deploy_ssl_url')),
        },
        environments: [environment ?? ''],
      },
    }
  },
}

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
