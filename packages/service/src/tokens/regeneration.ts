/**
 * What a request to regenerate a token asks for: a successor, and when the token that is there expires.
 */
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import type { TokenRegeneration } from '@deployment-annotations/contract/token'
import type { TokenRecord } from '@deployment-annotations/records/tokens/token-records'
import { invalid } from '@deployment-annotations/runtime/errors'
import { readMillis } from '../wire/request-time.ts'
import { readFuture, readNewToken } from './new-token.ts'
import { hasExpired, type NewTokenRecord } from './token.ts'

interface Regeneration {
  /** @throws ServiceError `invalid` where it is not said how long the successor of an expired token is to last */
  successor: (before: TokenRecord) => NewTokenRecord
  /** Of the token that is there. */
  expiresAtMs: number
}

/** @throws ServiceError `invalid` */
export function readRegeneration(
  { existingTokenExpiresAt, newTokenExpiresAt, newToken }: TokenRegeneration,
  nowMs: number,
): Regeneration {
  const untilMs = readFuture('newTokenExpiresAt', newTokenExpiresAt, nowMs)
  const given = newToken ? readNewToken(newToken, nowMs) : undefined
  return {
    successor: (before) => ({
      ...(given ?? likeBefore(before, untilMs, nowMs)),
      ...(untilMs !== undefined && { expiresAtMs: untilMs }),
    }),
    expiresAtMs: readMillis('existingTokenExpiresAt', existingTokenExpiresAt) ?? nowMs,
  }
}

/** The same members. It lasts as long, so that no token lasts forever because nothing was said. */
function likeBefore(before: TokenRecord, untilMs: number | undefined, nowMs: number): NewTokenRecord {
  if (untilMs === undefined && hasExpired(before, nowMs)) {
    throw invalid(VALIDATION_CODES.required, `newTokenExpiresAt is required, as token ${before.id} has expired`)
  }
  return before
}
