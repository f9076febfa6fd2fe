/**
 * Each function sends one request about annotations and parses the answer. Deliberately not here: what combines several of them, such as
 * a create that takes effect once (create-once.ts) or one annotation for a key (put-by-key.ts).
 */
import {
  ANNOTATION_CALLS,
  type Annotation,
  type AnnotationChange,
  type AnnotationFilter,
  type ListOrder,
  type NewAnnotation,
} from '@deployment-annotations/contract/annotation'
import { type Call as Asking, requestOf } from '@deployment-annotations/contract/call'
import {
  ANNOTATION_KEY_HEADER,
  ANNOTATION_OPEN_HEADER,
  ANNOTATION_TAGS_HEADER,
  IDEMPOTENCY_KEY_HEADER,
  type TAG_MEMBERS,
  toHeader,
} from '@deployment-annotations/contract/header'
import { type Call, type CallContext, type CallOptions, runCall } from './calls.ts'
import type { Connection } from './connection.ts'
import { NotFoundError } from './errors.ts'
import { type Hints, readHints } from './hints.ts'
import { parseNothing, type Reply, readerOf, readHeader } from './reply.ts'

export interface AnnotationCallOptions extends CallOptions {
  /** Called with what the answer to a create, get or change says besides the annotation; not called where it says nothing. */
  onHints?: (hints: Hints) => void
  /** `all`: our service also says who made the annotation, and when, in `createdBy` and `createdAt`. */
  include?: 'all'
}

export type Context = CallContext<AnnotationCallOptions>

/** A 2xx answer with an annotation, and whether it said that it is new. */
export interface Stored {
  annotation: Annotation
  isNew: boolean
  /** Whether the answer repeats the Idempotency-Key, so that a create that was sent twice is stored once. */
  isOnce: boolean
  hints: Hints
}

/** Ids go into paths, outputs and logs; one that is not made of these characters was not assigned by such a service. */
export const ID_PATTERN = /^[A-Za-z0-9_.~-]{1,128}$/

/** A shorter token is a word that texts may have, and no secret. */
const TOKEN_LENGTH_MIN = 8
const isSecret = (token: string) => token.length >= TOKEN_LENGTH_MIN

/** What a service echoes may be printed, put out for other steps, and saved. */
export const redactTexts = ({ token, redact }: Connection, annotation: Annotation): Annotation =>
  JSON.parse(JSON.stringify(annotation), (_, value) => (isSecret(token) && typeof value === 'string' ? redact(value) : value))

/** Which part of a list; other services ignore it. */
export interface ListPart {
  pageSize?: number | undefined
  order?: ListOrder | undefined
  pageCursor?: string | undefined
  /** Only the annotation with this key, or none. */
  key?: string
}

/** @returns what the answer has of the list, and what it says about the rest */
export async function listAnnotations(context: Context, filter: AnnotationFilter, { key, ...part }: ListPart = {}) {
  const read = readerOf((body, reply) => {
    if (!Array.isArray(body) || !body.every(isAnnotation)) return undefined
    const link = readHeader(reply, 'link') ?? ''
    const [next, cursor] = /(?:[?&]pageCursor=([^&>]+)(?:&[^>]*)?>\s*;\s*)?rel="?next\b/i.exec(link) ?? []
    return {
      annotations: body.map(dropUnset),
      /** Whether the answer says that there are more. */
      hasMore: next !== undefined,
      /** Where they begin, where the answer says so. */
      cursor: cursor && decodeURIComponent(cursor),
      /** Whether the service honors the key that was asked for. */
      isKeyHonored: key !== undefined && readHeader(reply, ANNOTATION_KEY_HEADER) === key,
    }
  }, 'a list of annotations')
  const headers = key === undefined ? undefined : { [ANNOTATION_KEY_HEADER]: key }
  return await run(context, ANNOTATION_CALLS.list, [{ ...filter, ...part }], { headers, read })
}

export async function getAnnotation(context: Context, id: string): Promise<Annotation> {
  return (await run(context, ANNOTATION_CALLS.get, [id], { read: readStored(context) })).annotation
}

/** @param asked with headers of its own, and `recover`: what to do where an answer was lost; without it the create is simply repeated */
export async function postAnnotation(context: Context, annotation: NewAnnotation, asked: Partial<Call<Stored>>): Promise<Stored> {
  const { body, headers } = writeAnnotation(annotation)
  const both = { ...asked.headers, ...headers }
  return await run(context, ANNOTATION_CALLS.create, [body], { ...asked, headers: both, read: readStored(context) })
}

export async function changeAnnotation(context: Context, id: string, change: AnnotationChange): Promise<Stored> {
  const { body, headers } = writeAnnotation(change)
  return await run(context, ANNOTATION_CALLS.change, [id, body], { headers, read: readStored(context) })
}

/** What only our service knows is said in headers: a service that does not know a member may refuse it. */
function writeAnnotation({ open, service, environment, version, tags, ...body }: AnnotationChange) {
  const own = { service, environment, version, tags } satisfies Record<(typeof TAG_MEMBERS)[number], unknown>
  const hasOwn = Object.values(own).some((value) => value !== undefined)
  const headers = {
    ...(typeof open === 'boolean' && { [ANNOTATION_OPEN_HEADER]: String(open) }),
    ...(hasOwn && { [ANNOTATION_TAGS_HEADER]: toHeader(own) }),
  }
  return { body, headers }
}

/** One that is gone is not an error if an earlier request of the call may have deleted it. */
export async function deleteAnnotation(context: Context, id: string): Promise<void> {
  try {
    await run(context, ANNOTATION_CALLS.delete, [id], { read: parseNothing })
  } catch (error) {
    if (!(error instanceof NotFoundError && error.attempts > 1)) throw error
  }
}

/**
 * Members that only our service has are asked for if the caller wants them.
 * @param given the parameters of the path, then what the operation takes
 */
function run<T>(
  context: Context,
  { include, ...call }: Asking,
  given: readonly unknown[],
  asked: Pick<Call<T>, 'headers' | 'read' | 'recover'>,
): Promise<T> {
  const wanted = context.options.include && include ? { ...call, include } : call
  return runCall(context, { ...requestOf(wanted, given), ...asked })
}

function readStored({ connection, options }: Context): (reply: Reply) => Stored {
  return (reply) => {
    const annotation = redactTexts(connection, parseAnnotation(reply))
    const isOnce = readHeader(reply, IDEMPOTENCY_KEY_HEADER) !== undefined
    const hints = readHints(connection, reply)
    if (Object.keys(hints).length > 0) options.onHints?.(hints)
    return { annotation, isNew: reply.status === 201, isOnce, hints }
  }
}

const parseAnnotation = readerOf((body) => (isAnnotation(body) ? dropUnset(body) : undefined), 'an annotation with an id')

function isAnnotation(body: unknown): body is Annotation {
  const { id, datasets, time, type } = (body ?? {}) as Record<string, unknown>
  const isText = (value: unknown) => typeof value === 'string'
  return ID_PATTERN.test(String(id)) && [id, time, type].every(isText) && Array.isArray(datasets) && datasets.every(isText)
}

const OPTIONAL_TEXTS: readonly string[] = ['endTime', 'title', 'description', 'url']

/** Other services say null or an empty text for what is not there, or something that is no text. */
function dropUnset(annotation: Annotation): Annotation {
  const set = Object.entries(annotation).filter(
    ([member, value]) => value !== null && (!OPTIONAL_TEXTS.includes(member) || (typeof value === 'string' && value !== '')),
  )
  return Object.fromEntries(set) as unknown as Annotation
}
