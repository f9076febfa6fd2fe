/**
 * Anything else that deploys: any JSON body by the integration's mapping, or else a small one of this service's own. It is signed by
 * Standard Webhooks or, where one line of shell must do, as GitHub signs; or it has the secret as a token.
 * The sender is the user's own script, so a body that breaks a rule is refused with the rule, not ignored.
 */
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import { DEPLOYMENT_STATUSES } from '@deployment-annotations/contract/integration'
import { TIMESTAMP_FORMS } from '@deployment-annotations/contract/timestamp'
import { invalid, showValue } from '@deployment-annotations/runtime/errors'
import { type BodyKind, readerOf } from './mapping.ts'
import { idOf, memberAt, parsePayload, timeOf } from './payload.ts'
import type { Platform } from './platform.ts'
import { AUTHORIZATION, STANDARD_WEBHOOKS, signedBody } from './signature.ts'

const OWN: BodyKind = {
  deployment: '{deployment}',
  state: '{status}',
  time: '{time}',
  description: '{description}',
  project: '{project}',
  environment: '{environment}',
  version: '{version}',
  branch: '{branch}',
  commit: '{commit}',
  by: '{by}',
  url: '{url}',
}

export const generic: Platform = {
  proofs: [STANDARD_WEBHOOKS, signedBody('X-Signature-256'), AUTHORIZATION],

  read({ headers, body }, { mapping, nowMs }) {
    const payload = parsePayload(body)
    if (!mapping) requireOwn(payload)
    return readerOf([mapping ?? OWN], '')({ header: headers, body: payload }, nowMs)
  },
}

/** @throws ServiceError `invalid` for what is not a body of this service's own */
function requireOwn(payload: unknown): void {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) {
    throw invalid(VALIDATION_CODES.type, `the body must be an object, got ${showValue(payload)}`)
  }
  const of = (name: string) => memberAt(payload, name)
  for (const name of ['deployment', 'status', 'time']) {
    if (of(name) === undefined) throw invalid(VALIDATION_CODES.required, `${name} is required`)
  }
  const refuse = (code: number, name: string, rule: string) =>
    invalid(code, `${name} must be ${rule}, got ${showValue(of(name))}`)
  if (idOf(of('deployment')) === undefined) throw refuse(VALIDATION_CODES.pattern, 'deployment', 'an id of 1 to 200 characters')
  if (!DEPLOYMENT_STATUSES.some((known) => known === of('status'))) {
    throw refuse(VALIDATION_CODES.enum, 'status', `one of ${DEPLOYMENT_STATUSES.join(', ')}`)
  }
  const time = of('time')
  if (typeof time !== 'string' || timeOf(time) === undefined) {
    throw refuse(VALIDATION_CODES.pattern, 'time', `${TIMESTAMP_FORMS}, years 1900 to 2262`)
  }
}
