/**
 * Anything else that deploys: any JSON body by the integration's mapping, or else a small one of this service's own. It is signed by
 * Standard Webhooks or, where one line of shell must do, as GitHub signs; or it has the secret as a token.
 * The sender is the user's own script, so a body that breaks a rule is refused with the rule, not ignored.
 */
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import { DEPLOYMENT_STATUSES, TITLE_FACTS } from '@deployment-annotations/contract/integration'
import { TIMESTAMP_FORMS } from '@deployment-annotations/contract/timestamp'
import { invalid, showValue } from '@deployment-annotations/runtime/errors'
import { type BodyKind, readerOf } from './mapping.ts'
import { idOf, memberAt, parsePayload, timeOf } from './payload.ts'
import type { Platform } from './platform.ts'
import { AUTHORIZATION, STANDARD_WEBHOOKS, signedBody } from './signature.ts'

const MEMBERS = [...TITLE_FACTS, 'deployment', 'time', 'description', 'url']
const OWN: BodyKind = { ...Object.fromEntries(MEMBERS.map((name) => [name, `{${name}}`])), state: '{status}' }

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
  const { pattern, enum: oneOf, required } = VALIDATION_CODES
  const check = (name: string, code: number, rule: string, isRight: (value: unknown) => boolean) => {
    const value = memberAt(payload, name)
    if (value === undefined) throw invalid(required, `${name} is required`)
    if (!isRight(value)) throw invalid(code, `${name} must be ${rule}, got ${showValue(value)}`)
  }
  check('deployment', pattern, 'an id of 1 to 200 characters', (id) => idOf(id) !== undefined)
  const isStatus = (value: unknown) => DEPLOYMENT_STATUSES.some((status) => status === value)
  check('status', oneOf, `one of ${DEPLOYMENT_STATUSES.join(', ')}`, isStatus)
  const isTime = (value: unknown) => typeof value === 'string' && timeOf(value) !== undefined
  check('time', pattern, `${TIMESTAMP_FORMS}, years 1900 to 2262`, isTime)
}
