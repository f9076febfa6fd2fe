/**
 * Reads what platforms send: bytes to JSON, and members of it that may be absent, of another type, or hostile. A member that
 * cannot be used counts as absent. Deliberately not here: what members mean.
 */
import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { URL_POINTS_MAX } from '@deployment-annotations/contract/annotation'
import { UNIT_NS } from '@deployment-annotations/contract/duration'
import { cutText } from '@deployment-annotations/contract/text'
import { isStorable, parseTimestamp } from '@deployment-annotations/contract/timestamp'
import { ServiceError } from '@deployment-annotations/runtime/errors'

/** Keeps rows small; more than this of one text fits into no annotation. */
const TEXT_POINTS_MAX = 300
const ID_LENGTH_MAX = 200
const LONE_SURROGATES = /\p{Surrogate}/gu

/**
 * @param field the one that has the payload where the bytes are a form
 * @throws ServiceError `malformed` when the bytes are not UTF-8, or no JSON
 */
export function parsePayload(bytes: Buffer, field?: string): unknown {
  if (!isUtf8(bytes)) throw new ServiceError('malformed', 'the body is not valid UTF-8')
  // A byte order mark is no part of the text.
  const decoded = new TextDecoder().decode(bytes)
  const text = field === undefined ? decoded : (new URLSearchParams(decoded).get(field) ?? '')
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ServiceError('malformed', `the body is not JSON: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

/** @returns the own member of this name, or undefined where there is none */
export function memberAt(value: unknown, name: string): unknown {
  const hasMember = typeof value === 'object' && value !== null && Object.hasOwn(value, name)
  return hasMember ? (value as Record<string, unknown>)[name] : undefined
}

/**
 * @returns the text, cut; nothing where there is nothing in it. Controls and line ends become blanks; what turns the direction of writing
 * would make a text look like another.
 */
export function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const plain = value
    .slice(0, TEXT_POINTS_MAX * 8)
    .replace(LONE_SURROGATES, '\ufffd')
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  return cutText(plain, TEXT_POINTS_MAX) || undefined
}

/** @returns an id that a platform gave, as it is */
export function idOf(value: unknown): string | undefined {
  if (Number.isSafeInteger(value)) return String(value)
  return typeof value === 'string' && value !== '' && value.length <= ID_LENGTH_MAX && value.search(LONE_SURROGATES) < 0
    ? value
    : undefined
}

/** @returns the address if people can open it, without the name and password that it may carry */
export function urlOf(value: unknown): string | undefined {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined
  // A javascript: or data: address would run when it is clicked.
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return undefined
  url.username = ''
  url.password = ''
  return url.href.length <= URL_POINTS_MAX ? url.href : undefined
}

/** `2021-04-28 21:50:00 +0200`, and `UTC` for the offset, as Ruby writes times. */
const RUBY_TIME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?) (?:UTC|([+-]\d\d):?(\d\d))$/

/** @returns the time in RFC 3339 or as Ruby writes it, if it can be kept */
export function timeOf(text: string): bigint | undefined {
  const ns = parseTimestamp(
    text.replace(RUBY_TIME, (_, day, time, hours = '+00', minutes = '00') => `${day}T${time}${hours}:${minutes}`),
  )
  return ns !== undefined && isStorable(ns) ? ns : undefined
}

export function instantOfMs(ms: number): bigint {
  return BigInt(Math.round(ms)) * UNIT_NS.ms
}

/** @returns the parts as one id: themselves where they are short and plain, or else their hash */
export function joinId(...parts: string[]): string {
  const joined = parts.join('/')
  const isClear = parts.slice(0, -1).every((part) => !part.includes('/'))
  return isClear && idOf(joined) !== undefined ? joined : createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

/** An image, or the path of a package URL: its tag, the first digits of its digest, or what else follows the `@`. */
const NAMED_VERSION =
  /^(?:.*\/)?[^/:@]+(?::(?<tag>[^/:@]+))?(?:@(?:sha256:(?<digest>[0-9a-f]{12})[0-9a-f]{52}|(?<version>[^/@]+)))?$/i

/** @returns the version that the text names: a container image, a package URL such as `pkg:oci/shop@sha256%3A…?tag=1.2.3`, a ref such as `v1.2.3` */
export function versionIn(text: string): string | undefined {
  const url = text.startsWith('pkg:') && URL.canParse(text) ? new URL(text) : undefined
  const path = url?.pathname.replace(/%(?:2B|3A|40)/gi, (escaped) => decodeURIComponent(escaped))
  const { tag, digest, version } = NAMED_VERSION.exec(path ?? text)?.groups ?? {}
  const ref = /^v?\d+\./.test(text) ? text : undefined
  return url?.searchParams.get('tag') || (tag ?? digest ?? version ?? ref)
}

export function firstLine(text: unknown): string | undefined {
  return typeof text === 'string' ? textOf(text.trimStart().split(/[\r\n]/, 1)[0]) : undefined
}

/** The first seven digits of a commit's hash, as people write it; other texts as they are. */
export function shortCommit(commit: string | undefined): string | undefined {
  return commit !== undefined && /^[0-9a-f]{40,64}$/i.test(commit) ? commit.slice(0, 7) : commit
}
