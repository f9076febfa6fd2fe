/**
 * Anything else that deploys: any JSON body by the integration's mapping, or else a small one of this service's own. It is signed by
 * Standard Webhooks or, where one line of shell must do, as GitHub signs; or it has the secret as a token.
 * The sender is the user's own script, so a body that breaks a rule is refused with the rule, not ignored.
 */
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import { DEPLOYMENT_STATUSES } from '@deployment-annotations/contract/integration'
import { TIMESTAMP_FORMS } from '@deployment-annotations/contract/timestamp'
import { invalid, showValue } from '@deployment-annotations/runtime/errors'
import type { WebhookContent } from './deployment-event.ts'
import { readerOf } from './mapping.ts'
import { decodeUtf8, firstLine, idOf, memberAt, parseJson, textOf, timeOf, urlOf } from './payload.ts'
import type { Platform } from './platform.ts'
import { AUTHORIZATION, STANDARD_WEBHOOKS, signedBody } from './signature.ts'

export const generic: Platform = {
  proofs: [STANDARD_WEBHOOKS, signedBody('X-Signature-256'), AUTHORIZATION],

  read({ headers, body }, { mapping, nowMs }) {
    const payload = parseJson(decodeUtf8(body))
    return mapping ? readerOf([mapping], '')({ header: headers, body: payload }, nowMs) : readOwn(payload)
  },
}

function readOwn(payload: unknown): WebhookContent {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) {
    throw invalid(VALIDATION_CODES.type, `the body must be an object, got ${showValue(payload)}`)
  }
  const of = (name: string) => memberAt(payload, name)
  for (const name of ['deployment', 'status', 'time']) {
    if (of(name) === undefined) throw invalid(VALIDATION_CODES.required, `${name} is required`)
  }
  const deployment = idOf(of('deployment'))
  if (deployment === undefined) {
    throw invalid(VALIDATION_CODES.pattern, `deployment must be an id of 1 to 200 characters, got ${showValue(of('deployment'))}`)
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
      message: hasEnded ? description : undefined,
      facts: {
        project: textOf(of('project')),
        environment,
        version: textOf(of('version')),
        branch: textOf(of('branch')),
        commit: textOf(of('commit')),
        by: textOf(of('by')),
        change: hasEnded ? undefined : firstLine(description),
        url: urlOf(of('url')),
      },
      environments: [environment ?? ''],
    },
  }
}
