/**
 * The signature of Standard Webhooks, which proves requests of platforms and is in those to receivers. https://www.standardwebhooks.com, read
 * 2026-11.
 */
import { createHmac } from 'node:crypto'

const SECRET_PREFIX = 'whsec_'

/** @param signed the id and the time, which are headers of their own @returns the value of the header webhook-signature */
export function signStandard(
  { id, timestamp }: { id: string; timestamp: string },
  body: string | Buffer,
  secret: string,
): string {
  const hmac = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body)
  return `v1,${hmac.digest('base64')}`
}

/** By the standard what follows `whsec_` is the key in base64; a secret of another form is its own key. */
function keyOf(secret: string): string | Buffer {
  const encoded = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : ''
  return /^[A-Za-z0-9+/]{16,}={0,2}$/.test(encoded) ? Buffer.from(encoded, 'base64') : secret
}
