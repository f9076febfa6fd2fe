/**
 * Where a notifier sends, and its secrets: what may be said of them, and to whom. Encrypted in the records as a whole.
 */
import { validateHeaderName, validateHeaderValue } from 'node:http'
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import type { NotifierProperties } from '@deployment-annotations/contract/notifier'
import { NOT_SHOWN, NOTIFIER_KINDS, type NotifierKind } from '@deployment-annotations/contract/notifier'
import { checkHost } from '@deployment-annotations/edge/messages/addresses'
import { findUnknownPlace, TEMPLATE_NAMES } from '@deployment-annotations/edge/messages/webhook'
import type { NotifierRecord } from '@deployment-annotations/records/automations/notifier-records'
import { invalid, quoted } from '@deployment-annotations/runtime/errors'
import { decrypt, type EncryptionKeys, encrypt } from '../encryption/encryption.ts'

export interface NotifierTarget {
  properties: NotifierProperties
  /** What messages of a signed kind are signed with. */
  secret?: string
}

export function sealTarget(target: NotifierTarget, keys: EncryptionKeys, id: string): string {
  return encrypt(JSON.stringify(target), keys, id)
}

/** @throws Error without the secrets, where no key is theirs */
export function openTarget({ encryptedTarget, id }: NotifierRecord, keys: EncryptionKeys): NotifierTarget {
  return JSON.parse(decrypt(encryptedTarget, keys, id)) as NotifierTarget
}

export function kindOf(properties: NotifierProperties): NotifierKind {
  const [kind, ...others] = NOTIFIER_KINDS.filter((name) => properties[name] !== undefined)
  if (kind && others.length === 0) return kind
  const given = kind ? `got ${[kind, ...others].join(', ')}` : 'got none of them'
  throw invalid(VALIDATION_CODES.required, `properties must have just one of ${NOTIFIER_KINDS.join(', ')}, ${given}`)
}

const PUBLIC_MEMBERS = new Set(['emails', 'discordChannel', 'isEU'])

/** @returns the properties for those who did not send them: of an address its origin, of other secrets nothing */
export function maskProperties(properties: NotifierProperties): NotifierProperties {
  const mask = (name: string, value: unknown): unknown => {
    if (PUBLIC_MEMBERS.has(name)) return value
    if (typeof value === 'string') return URL.canParse(value) ? `${new URL(value).origin}/${NOT_SHOWN}` : NOT_SHOWN
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, mask(member, inner)]))
  }
  return mask('', properties) as NotifierProperties
}

/** @returns the texts that must not be read in an error or in the log, those that hold others first */
export function secretsOf({ properties, secret }: NotifierTarget): string[] {
  const found: string[] = secret === undefined ? [] : [secret]
  const collect = (value: unknown): void => {
    if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) collect(inner)
    if (typeof value !== 'string' || value === '') return
    found.push(value)
    if (!URL.canParse(value)) return
    const { username, password, pathname, search } = new URL(value)
    found.push(
      username,
      password,
      `${pathname}${search}`,
      ...pathname.split('/').filter((part) => part.length > 7),
      search.slice(1),
    )
  }
  collect(properties)
  return found.filter((text) => text.length > 3).sort((a, b) => b.length - a.length)
}

interface TargetRules {
  mayBePrivate: boolean
  hasSmtp: boolean
}

/** @throws ServiceError `invalid` naming the member; a secret is not repeated */
export function checkProperties(properties: NotifierProperties, { mayBePrivate, hasSmtp }: TargetRules): void {
  const kind = kindOf(properties)
  for (const [member, value] of Object.entries(properties[kind] ?? {})) {
    if (/url$/i.test(member)) checkUrl(`properties.${kind}.${member}`, String(value), mayBePrivate)
  }
  const { email, customWebhook } = properties
  if (email) {
    if (!hasSmtp)
      throw invalid(VALIDATION_CODES.enum, 'properties.email is not supported: the service was started without --smtp')
    const wrong = email.emails.find((address) => !/^[^\s@<>,;"]+@[^\s@<>,;"]+$/.test(address))
    if (wrong !== undefined) throw invalid(VALIDATION_CODES.pattern, `${quoted(wrong)} is not an address of email`)
  }
  if (!customWebhook) return
  for (const [name, value] of Object.entries(customWebhook.headers ?? {})) checkHeader(name, value)
  const unknown = findUnknownPlace(customWebhook.body ?? '')
  if (unknown === undefined) return
  const known = TEMPLATE_NAMES.map((name) => `{{.${name}}}`).join(', ')
  throw invalid(VALIDATION_CODES.pattern, `the body cannot have ${quoted(unknown)}; it may have ${known}`)
}

function checkUrl(member: string, text: string, mayBePrivate: boolean): void {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw invalid(VALIDATION_CODES.pattern, `${member} must be a URL that begins with https:// or http://`)
  }
  const refused = checkHost(url, mayBePrivate)
  if (refused) throw invalid(VALIDATION_CODES.enum, `${member}: ${refused.message}`)
}

/** Headers that the service sets itself. */
const OWN_HEADER =
  /^(?:host|content-length|connection|transfer-encoding|upgrade|expect|te|trailer|keep-alive|proxy-.*|webhook-.*)$/i

function checkHeader(name: string, value: string): void {
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value)
  } catch {
    throw invalid(VALIDATION_CODES.pattern, `the header ${quoted(name)} cannot be sent as it is written`)
  }
  if (OWN_HEADER.test(name)) throw invalid(VALIDATION_CODES.enum, `the header ${quoted(name)} is set by the service`)
}
