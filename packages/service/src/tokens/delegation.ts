/**
 * What one token may do to others. A personal token may do everything. An API token needs the capability (`apiTokens|create` …), and
 * then makes only tokens that may do no more than itself and expire no later; so it cannot widen itself. Personal tokens are not its
 * business: it does not see them. One that is limited to datasets sees only tokens that may do no more than itself, because the others
 * name datasets that it may not know of.
 */

import type { TokenRecord } from '@deployment-annotations/records/tokens/token-records'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import { firstBeyond } from './capabilities.ts'
import { capabilitiesOfToken, limitOf } from './token.ts'

/** @throws ServiceError `forbidden` where `by` may not make this token, which is new or gets a new secret */
export function requireCovered(made: TokenRecord, by: TokenRecord): void {
  if (by.kind === 'personal') return
  const beyond = made.kind === 'personal' ? 'everything' : firstBeyond(capabilitiesOfToken(by), capabilitiesOfToken(made))
  if (beyond !== undefined) {
    throw forbidden(`token ${by.id} may give no more than it has, and lacks ${beyond}`)
  }
  if (by.expiresAtMs !== undefined && (made.expiresAtMs ?? Number.POSITIVE_INFINITY) > by.expiresAtMs) {
    throw forbidden(
      `token ${by.id} expires, and may make none that expires later; send expiresAt, ${new Date(by.expiresAtMs).toISOString()} at the latest`,
    )
  }
}

export function isVisible(token: TokenRecord, by: TokenRecord): boolean {
  if (by.kind === 'personal') return true
  if (token.kind === 'personal') return false
  return limitOf(by) === undefined || firstBeyond(capabilitiesOfToken(by), capabilitiesOfToken(token)) === undefined
}

function forbidden(message: string): ServiceError {
  return new ServiceError('forbidden', message)
}
