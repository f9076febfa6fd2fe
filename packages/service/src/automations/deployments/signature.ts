/**
 * Compares signatures in constant time.
 */
import { isUtf8 } from 'node:buffer'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { verify } from '@octokit/webhooks-methods'

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

/** Whether `sha256=<hexadecimal>`, in any case of letters, is the HMAC of the body under the secret, as GitHub signs. */
export async function isGitHubSignature(signature: string, secret: string, body: Buffer): Promise<boolean> {
  // The library takes text. Bytes that are not UTF-8 are none that GitHub sends, and as text would stand for others too.
  if (signature === '' || body.length === 0 || !isUtf8(body)) return false
  return verify(secret, body.toString(), signature.toLowerCase())
}
