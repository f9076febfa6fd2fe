/**
 * What a token is to be made with, from what a caller sent: the rules that a schema cannot say.
 */
import { dropUndefined } from '@deployment-annotations/contract/drop-undefined'
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import type { Capability } from '@deployment-annotations/contract/permission'
import type { NewTokenMembers } from '@deployment-annotations/contract/token'
import type { StoredCapabilities } from '@deployment-annotations/records/tokens/token-records'
import { invalid, showValue } from '@deployment-annotations/runtime/errors'
import { readMillis } from '../wire/request-time.ts'
import type { NewTokenRecord } from './token.ts'

/** @throws ServiceError `invalid` */
export function readNewToken(members: NewTokenMembers, nowMs: number): NewTokenRecord {
  return dropUndefined({
    name: readText('name', members.name),
    description: members.description ? readText('description', members.description) : undefined,
    ...readGranted(members),
    expiresAtMs: readFuture('expiresAt', members.expiresAt, nowMs),
  })
}

/** @returns milliseconds; `undefined`: never. A new token that has expired already would be of no use. */
export function readFuture(member: string, text: string | null | undefined, nowMs: number): number | undefined {
  const ms = readMillis(member, text)
  if (ms === undefined || ms > nowMs) return ms
  throw invalid(VALIDATION_CODES.min, `${member} must be in the future, got ${showValue(text)}`)
}

/** One of three forms: a personal token, permissions, capabilities. Two of them would say two things, so they are refused. */
function readGranted(members: NewTokenMembers): Pick<NewTokenRecord, 'kind' | 'permissions' | 'capabilities'> {
  const { kind, permissions, datasetCapabilities, orgCapabilities } = members
  const hasCapabilities = Boolean(datasetCapabilities ?? orgCapabilities)
  if (kind === 'personal') {
    if (!permissions && !hasCapabilities) return { kind }
    const sent = permissions ? 'permissions' : 'capabilities'
    const got = `got ${showValue(permissions ?? datasetCapabilities ?? orgCapabilities)}`
    throw invalid(VALIDATION_CODES.itemsMax, `${sent} must be left out for a personal token, which may do everything, ${got}`)
  }
  if (permissions && hasCapabilities) {
    throw invalid(
      VALIDATION_CODES.itemsMax,
      'permissions are for all datasets: send them, or datasetCapabilities and orgCapabilities',
    )
  }
  if (permissions) return { kind: 'api', permissions: [...new Set(permissions)] }
  if (hasCapabilities) return { kind: 'api', capabilities: readCapabilities(datasetCapabilities, orgCapabilities) }
  throw invalid(
    VALIDATION_CODES.required,
    'permissions is required, or "kind": "personal" for a token that may do everything, or datasetCapabilities for one that may do more with some datasets than with others',
  )
}

function readCapabilities(
  datasets: NewTokenMembers['datasetCapabilities'],
  org: NewTokenMembers['orgCapabilities'],
): StoredCapabilities {
  const named = Object.entries(datasets ?? {}).map(([name, given]) => [name, withoutEmpty(given)])
  return { datasets: Object.fromEntries(named), org: withoutEmpty(org ?? {}) }
}

/** Published clients send every resource, with an empty list or null where there is nothing. */
function withoutEmpty(given: Readonly<Record<string, readonly string[] | null>>): Capability {
  return Object.fromEntries(
    Object.entries(given).flatMap(([resource, actions]) => (actions?.length ? [[resource, [...new Set(actions)]]] : [])),
  )
}

/** Names go to logs and terminals; half a surrogate pair would come back changed from the records. */
const UNFIT = /[\p{Control}\p{Surrogate}]/u

function readText(member: 'name' | 'description', text: string): string {
  if (UNFIT.test(text)) {
    throw invalid(
      VALIDATION_CODES.pattern,
      `${member} must be well-formed Unicode without control characters, got ${showValue(text)}`,
    )
  }
  return text
}
