/**
 * The proofs that platforms share: signatures, compared in constant time over the bytes as they came, and secrets that are sent as
 * they are.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { ServiceError, showValue } from '@deployment-annotations/runtime/errors'
import { signStandard } from '../standard-webhooks.ts'
import { headerOf, type SignatureCheck, type WebhookRequest } from './platform.ts'

export function isEqual(right: Buffer, given: Buffer): boolean {
  return right.length === given.length && timingSafeEqual(right, given)
}

/** The HMAC of the body in hexadecimal, in any case of letters: `sha256=<hexadecimal>`, as GitHub signs, or as another platform does. */
export function signedBody(header: string, { hash = 'sha256', prefix = 'sha256=' } = {}): SignatureCheck {
  const pattern = new RegExp(`^${prefix}(?<hex>(?:[0-9a-f]{2})+)$`, 'i')
  return {
    header,
    form: `${prefix}<HMAC-${hash.toUpperCase()} of the body, in hexadecimal>`,
    isRight(request, secret) {
      const given = pattern.exec(headerOf(request, header.toLowerCase()))?.groups?.hex ?? ''
      return isEqual(createHmac(hash, secret).update(request.body).digest(), Buffer.from(given, 'hex'))
    },
  }
}

/** The secret alone in a header. */
export function secretHeader(header: string): SignatureCheck {
  return { header, form: '<the secret>', isRight: (request, secret) => isSame(headerOf(request, header.toLowerCase()), secret) }
}

const BEARER = /^bearer +(?<secret>\S.*)$/i
const BASIC = /^basic +(?<encoded>[\w+/-]+=*)$/i

/** The secret as a bearer token or, for programs that know no other way, as the password of any user. */
export const AUTHORIZATION: SignatureCheck = {
  header: 'Authorization',
  form: 'Bearer <the secret>, or Basic with it as the password',
  isRight(request, secret) {
    const value = headerOf(request, 'authorization').trim()
    const decoded = Buffer.from(BASIC.exec(value)?.groups?.encoded ?? '', 'base64').toString()
    return isSame(BEARER.exec(value)?.groups?.secret ?? decoded.slice(decoded.indexOf(':') + 1), secret)
  },
}

/** Hashed first, so that not even the length of the secret shows. */
function isSame(given: string, secret: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return isEqual(hash(secret), hash(given))
}

/** As the standard advises: an older delivery is a replay, or comes from a clock that is wrong. */
const TIMESTAMP_SECONDS_MAX = 300
const SIGNATURES_MAX = 4

export const STANDARD_WEBHOOKS: SignatureCheck = {
  header: 'webhook-signature',
  form: 'v1,<HMAC-SHA256 of webhook-id.webhook-timestamp.body, in base64>',
  check(request, nowMs) {
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
  /** Several signatures are separated by blanks, while the sender changes its secret; one must be right. */
  isRight(request: WebhookRequest, secret: string): boolean {
    const signed = { id: headerOf(request, 'webhook-id'), timestamp: headerOf(request, 'webhook-timestamp') }
    const right = Buffer.from(signStandard(signed, request.body, secret))
    const given = headerOf(request, 'webhook-signature').split(' ', SIGNATURES_MAX)
    return given.map((signature) => isEqual(right, Buffer.from(signature))).includes(true)
  },
}
