/**
 * What requests say in headers of their own, and in the parameter `include`: the keys that routes honor, whether members that are specific
 * to this service are wanted, and whether a client of Elasticsearch is asking.
 */
import type { IncomingMessage } from 'node:http'
import { ANNOTATION_JOB_HEADER, type AnnotationJob, parseJob } from '@deployment-annotations/contract/annotation-job'
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import {
  ANNOTATION_KEY_FORM,
  ANNOTATION_KEY_HEADER,
  ANNOTATION_KEY_PATTERN,
  ANNOTATION_OPEN_HEADER,
  ANNOTATION_TAGS_HEADER,
  IDEMPOTENCY_KEY_HEADER,
  IDEMPOTENCY_KEY_PATTERN,
  INCLUDE_ALL,
  TAG_MEMBERS,
} from '@deployment-annotations/contract/header'
import { oneOf, optional } from '@deployment-annotations/contract/schema'
import { invalid, quoted, ServiceError, showValue } from '@deployment-annotations/runtime/errors'
import type { FastifyRequest } from 'fastify'
import { isObject } from '../wire/is-object.ts'

type WithHeaders = Pick<FastifyRequest, 'headers'>
type WithQuery = Pick<FastifyRequest, 'query'>

/** The keys that a request can carry, and the rule that each obeys. */
const KEYS = {
  /** Every repeat of a request has the same one. */
  idempotency: {
    header: IDEMPOTENCY_KEY_HEADER,
    pattern: IDEMPOTENCY_KEY_PATTERN,
    rule: 'Idempotency-Key must be 1 to 255 visible ASCII characters',
  },
  /** Names the one annotation that is meant, whoever asks. */
  annotation: {
    header: ANNOTATION_KEY_HEADER,
    pattern: ANNOTATION_KEY_PATTERN,
    rule: `Annotation-Key must be ${ANNOTATION_KEY_FORM}`,
  },
} as const

/** @throws ServiceError `malformed` for a key that breaks its rule */
export function readKey({ headers }: WithHeaders, kind: keyof typeof KEYS): string | undefined {
  const { header, pattern, rule } = KEYS[kind]
  const key = headers[header]
  if (key === undefined) return undefined
  if (typeof key === 'string' && pattern.test(key)) return key
  throw new ServiceError('malformed', `${rule}, got ${quoted(String(key))}`)
}

/** @throws ServiceError `malformed` for a header that cannot be read */
export function readJob({ headers }: WithHeaders): AnnotationJob | undefined {
  const text = headers[ANNOTATION_JOB_HEADER]
  if (text === undefined) return undefined
  const job = parseJob(String(text))
  if (job) return job
  const rule =
    'Annotation-Job must be JSON such as {"run":"7001","attempt":1,"job":"eu"}, with "name", "failed" and "line" besides'
  throw new ServiceError('malformed', `${rule}, got ${quoted(String(text))}`)
}

/** @returns whether the annotation goes on, where the request says so */
export function readOpen({ headers }: WithHeaders): { open?: boolean } {
  const text = headers[ANNOTATION_OPEN_HEADER]
  if (text === undefined || text === '') return {}
  if (text === 'true' || text === 'false') return { open: text === 'true' }
  throw new ServiceError('malformed', `Annotation-Open must be true or false, got ${quoted(String(text))}`)
}

/** @returns what the request says of service, environment, version and tags in a header; a schema checks it with the body */
export function readTags({ headers }: WithHeaders): object {
  const text = headers[ANNOTATION_TAGS_HEADER]
  if (text === undefined || text === '') return {}
  const said = parseObject(String(text))
  if (said) return Object.fromEntries(TAG_MEMBERS.flatMap((name) => (name in said ? [[name, said[name]]] : [])))
  const rule = 'Annotation-Tags must be JSON in ASCII such as {"service":"web","environment":"production","tags":["canary"]}'
  throw new ServiceError('malformed', `${rule}, got ${quoted(String(text))}`)
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * @returns whether the request wants the members that only this service has; header.ts of the contract says why they are optional
 * @throws ServiceError `invalid` for another value than there is
 */
export function asksForAll({ query }: WithQuery): boolean {
  const { include = '' } = query as { include?: unknown }
  if (include === INCLUDE_ALL.include || include === '') return include !== ''
  throw invalid(VALIDATION_CODES.enum, `include must be ${INCLUDE_ALL.include}, got ${showValue(include)}`)
}

/** @returns the resource without the members of `own`, unless the request asks for them */
export function shownTo<T extends object, K extends keyof T>(
  request: WithQuery,
  resource: T,
  own: readonly K[],
): Omit<T, K> & Partial<Pick<T, K>> {
  if (asksForAll(request)) return resource
  const hidden: ReadonlySet<unknown> = new Set(own)
  const shown = Object.entries(resource).filter(([member]) => !hidden.has(member))
  return Object.fromEntries(shown) as Omit<T, K> & Partial<Pick<T, K>>
}

/** @returns the parameter that asks for every member; @param own the members that it adds to an answer */
export function includeParameter(own: readonly string[]) {
  const names = own.map((name) => `\`${name}\``).join(', ')
  const description = `\`${INCLUDE_ALL.include}\` also answers what is specific to this service: ${names}.`
  return optional({ include: oneOf([INCLUDE_ALL.include, ''], description) })
}

/**
 * A constraint of the router that tells a client of Elasticsearch from a browser where both ask for `/`: the client comes with
 * credentials, and does not ask for a page.
 */
export const ELASTIC_CLIENT = {
  name: 'elasticClient',
  storage() {
    // The router alone knows what it keeps here.
    const handlers = new Map<string, never>()
    return {
      get: (key: string): never => handlers.get(key) ?? (null as never),
      set: (key: string, handler: never) => void handlers.set(key, handler),
    }
  },
  deriveConstraint: ({ headers }: IncomingMessage): string =>
    headers.authorization !== undefined && !headers.accept?.includes('text/html') ? 'yes' : 'no',
} as const
