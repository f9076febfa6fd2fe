/**
 * What a client has to know to call an operation, and nothing that it need not carry: no words, no schemas. Deliberately not here: how a
 * request is sent.
 */
import { INCLUDE_ALL } from './header.ts'
import { toSegment } from './text.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** One operation, as a client calls it: with the parameters of its path in their order, then what it takes. */
export interface Call {
  /** Method and path; names in braces are its parameters. */
  readonly call: `${Method} /${string}`
  readonly takes?: 'query' | 'body'
  /** What it takes has this member alone, which a caller gives in its place. */
  readonly member?: string
  /** The answer is one object, known by this text member. */
  readonly one?: string
  /** The answer is a list of objects, each known by this text member. */
  readonly list?: string
  /** The answer is one object whose members of these names are lists. */
  readonly lists?: readonly string[]
  /** The answer is a list of texts, or a text that is no JSON. */
  readonly reads?: 'texts' | 'text'
  /** A second request would make a second one, or be refused: one whose answer is lost is not sent again. */
  readonly isSentOnce?: true
  /** The request asks for the members that only this service has, too. */
  readonly include?: 'all'
}

const PARAMETER = /\{\w+\}/g

export type Calls = Readonly<Record<string, Call>>

/** @returns the calls that most resources have, whose items are known by their ids */
export function callsOn<const Path extends `/${string}`>(path: Path) {
  return {
    /**
     * A create whose answer is lost is not sent again, because that could make a second one, or lose the secret of the first: the error's
     * `mayHaveTakenEffect` is then true, and the list shows whether it is there.
     */
    create: { call: `POST ${path}`, takes: 'body', one: 'id', isSentOnce: true },
    list: { call: `GET ${path}`, list: 'id' },
    get: { call: `GET ${path}/{id}`, one: 'id' },
    /** Members that are not sent keep their values. */
    change: { call: `PUT ${path}/{id}`, takes: 'body', one: 'id' },
    delete: { call: `DELETE ${path}/{id}` },
  } as const
}

interface Address {
  method: Method
  /** Its parameters escaped. */
  path: string
}

/** @param given the parameters of the path, and perhaps more, of which there is nothing in it */
export function addressOf({ call }: Pick<Call, 'call'>, ...given: readonly unknown[]): Address {
  const [method, template] = call.split(' ') as [Method, string]
  let used = 0
  return { method, path: template.replace(PARAMETER, () => toSegment(String(given[used++]))) }
}

interface CallRequest<Options> extends Address {
  query?: Record<string, string>
  body?: unknown
  /** What was given beside what the operation takes. */
  options: Options | undefined
}

/** @param given the parameters of the path, what the operation takes, and options */
export function requestOf<Options>({ call, takes, member, include }: Call, given: readonly unknown[]): CallRequest<Options> {
  const left = given.slice(call.match(PARAMETER)?.length ?? 0)
  const whole = (one: unknown) => (member === undefined ? one : { [member]: one })
  const taken: Pick<CallRequest<Options>, 'query' | 'body'> = takes ? { [takes]: whole(left.shift()) } : {}
  const query = include && { query: { ...taken.query, ...INCLUDE_ALL } }
  return { ...addressOf({ call }, ...given), ...taken, ...query, options: left[0] as Options | undefined }
}
