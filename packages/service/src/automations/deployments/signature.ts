/**
 * Compares signatures in constant time, over the bytes as they came.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Whether `given` is the HMAC of the parts, one after the other, under the key. */
export function isHmac(
  hash: 'sha1' | 'sha256',
  key: string | Buffer,
  parts: readonly (string | Buffer)[],
  given: Buffer,
): boolean {
  const hmac = createHmac(hash, key)
  for (const part of parts) hmac.update(part)
  return isEqual(hmac.digest(), given)
}

export function isEqual(right: Buffer, given: Buffer): boolean {
  return right.length === given.length && timingSafeEqual(right, given)
}

const GITHUB_SIGNATURE = /^sha256=(?<hash>[0-9a-f]{64})$/i

/** Whether `sha256=<hexadecimal>`, in any case of letters, is the HMAC of the body under the secret, as GitHub signs. */
export function isGitHubSignature(signature: string, secret: string, body: Buffer): boolean {
  const given = GITHUB_SIGNATURE.exec(signature)?.groups?.hash ?? ''
  return isHmac('sha256', secret, [body], Buffer.from(given, 'hex'))
}
