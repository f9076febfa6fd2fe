/**
 * Anything else that deploys: a small JSON body of this service's own, signed by Standard Webhooks
 * (https://www.standardwebhooks.com, read 2026-11) or, where one line of shell must do, as GitHub signs.
 * The sender is the user's own script, so a body that breaks a rule is refused with the rule, not ignored.
 */
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import { DEPLOYMENT_STATUSES } from '@deployment-annotations/contract/integration'
import { TIMESTAMP_FORMS } from '@deployment-annotations/contract/timestamp'
import { invalid, ServiceError, showValue } from '@deployment-annotations/runtime/errors'
import { decodeUtf8, firstLine, idOf, memberAt, parseJson, textOf, timeOf, urlOf } from './payload.ts'
import { headerOf, type Platform, type WebhookRequest } from './platform.ts'
import { isGitHubSignature, isHmac } from './signature.ts'

/** As the standard advises: an older delivery is a replay, or comes from a clock that is wrong. */
const TIMESTAMP_SECONDS_MAX = 300
const SECRET_PREFIX = 'whsec_'

export const generic: Platform = {
  signatures: [
    { header: 'webhook-signature', form: 'v1,<HMAC-SHA256 of webhook-id.webhook-timestamp.body, in base64>' },
    { header: 'X-Signature-256', form: 'sha256=<HMAC-SHA256 of the body, in hexadecimal>' },
  ],

  checkHeaders(request, nowMs) {
    if (headerOf(request, 'webhook-signature') === '') return
    if (headerOf(request, 'webhook-id') === '') {
      throw new ServiceError('malformed', 'the header webhook-id is required beside webhook-signature, which signs it')
    }
    const timestamp = headerOf(request, 'webhook-timestamp')
    if (!/^\d{1,12}$/.test(timestamp) || Math.abs(nowMs / 1_000 - Number(timestamp)) > TIMESTAMP_SECONDS_MAX) {
      throw new ServiceError(
        'unauthorized',
        `webhook-timestamp must be the present time in seconds since 1970, at most ${TIMESTAMP_SECONDS_MAX} s off, got ${showValue(timestamp)}`,
        { headers: { 'www-authenticate': 'Signature' } },
      )
    }
  },

  isSigned(request, secret) {
    const standard = headerOf(request, 'webhook-signature')
    if (standard !== '') return isSignedByStandard(request, standard, secret)
    return isGitHubSignature(headerOf(request, 'x-signature-256'), secret, request.body)
  },

  read({ body }) {
    const payload = parseJson(decodeUtf8(body))
    if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) {
      throw invalid(VALIDATION_CODES.type, `the body must be an object, got ${showValue(payload)}`)
    }
    const of = (name: string) => memberAt(payload, name)
    for (const name of ['deployment', 'status', 'time']) {
      if (of(name) === undefined) throw invalid(VALIDATION_CODES.required, `${name} is required`)
    }
    const deployment = idOf(of('deployment'))
    if (deployment === undefined) {
      throw invalid(
        VALIDATION_CODES.pattern,
        `deployment must be an id of 1 to 200 characters, got ${showValue(of('deployment'))}`,
      )
    }
    const state = DEPLOYMENT_STATUSES.find((known) => known === of('status'))
    if (!state) {
      throw invalid(
        VALIDATION_CODES.enum,
        `status must be one of ${DEPLOYMENT_STATUSES.join(', ')}, got ${showValue(of('status'))}`,
      )
    }
    const atNs = typeof of('time') === 'string' ? timeOf(of('time')) : undefined
    if (atNs === undefined) {
      throw invalid(VALIDATION_CODES.pattern, `time must be ${TIMESTAMP_FORMS}, years 1900 to 2262, got ${showValue(of('time'))}`)
    }
    const environment = textOf(of('environment'))
    const description = textOf(of('description'))
    const hasEnded = state !== 'started'
    return {
      event: {
        deployment,
        state,
        atNs,
        ...(hasEnded && description !== undefined && { message: description }),
        facts: {
          project: textOf(of('project')),
          environment,
          version: textOf(of('version')),
          branch: textOf(of('branch')),
          commit: textOf(of('commit')),
          by: textOf(of('by')),
          ...(!hasEnded && { change: firstLine(description) }),
          url: urlOf(of('url')),
        },
        environments: [environment ?? ''],
      },
    }
  },
}

/** @param signatures several, separated by blanks, while the sender changes its secret; one must be right */
function isSignedByStandard(request: WebhookRequest, signatures: string, secret: string): boolean {
  const signed = `${headerOf(request, 'webhook-id')}.${headerOf(request, 'webhook-timestamp')}.`
  let isRight = false
  for (const signature of signatures.split(' ', SIGNATURES_MAX)) {
    const given = Buffer.from(STANDARD_SIGNATURE.exec(signature)?.groups?.hash ?? '', 'base64')
    if (isHmac('sha256', keyOf(secret), [signed, request.body], given)) isRight = true
  }
  return isRight
}

const SIGNATURES_MAX = 4
const STANDARD_SIGNATURE = /^v1,(?<hash>[A-Za-z0-9+/]{43}=)$/

/** By the standard what follows `whsec_` is the key in base64; a secret of another form is its own key. */
function keyOf(secret: string): string | Buffer {
  const encoded = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : ''
  return /^[A-Za-z0-9+/]{16,}={0,2}$/.test(encoded) ? Buffer.from(encoded, 'base64') : secret
}
