/**
 * Sends one request to the service that served this page. A failure becomes an `AnswerError`, whose message is for people. Deliberately
 * not here: retries, because the user can ask again.
 */
import { type Call, type Calls, requestOf } from '@deployment-annotations/contract/call'
import type { ErrorBody, ErrorDetail } from '@deployment-annotations/contract/error-body'
import { TRACE_ID_HEADER } from '@deployment-annotations/contract/header'
import type { Arguments, Operation } from '@deployment-annotations/contract/operation'
import type { Infer } from '@deployment-annotations/contract/schema'
import { signOut, token } from './session.ts'

/** The error of a query and its position. */
export type QueryErrorDetail = ErrorDetail

/** The service refused, failed, or was not reached (`status` 0). */
export class AnswerError extends Error {
  readonly status: number
  readonly detail: QueryErrorDetail | undefined
  /** The id that finds the request in the service's log. */
  readonly traceId: string

  constructor(message: string, status: number, traceId = '', detail?: QueryErrorDetail) {
    super(message)
    this.name = 'AnswerError'
    this.status = status
    this.traceId = traceId
    this.detail = detail
  }
}

interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Parameters of the address; those that are undefined are left out. */
  query?: Readonly<Record<string, string | undefined>>
  body?: unknown
  signal?: AbortSignal
  /** The token to send; by default the one that is signed in. */
  secret?: string
  /** Replaces `JSON.parse`, which rounds integers past 2^53. */
  parse?: (text: string) => unknown
}

/**
 * @returns the body of the answer; `undefined` if it has none
 * @throws AnswerError; AbortError if `signal` aborts. A 401 signs out.
 */
export async function request<T>(path: string, options: RequestOptions = {}): Promise<T> {
  const { method = 'GET', query = {}, body, signal, secret = token.value, parse = JSON.parse } = options
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const search = given.length > 0 ? `?${new URLSearchParams(given)}` : ''
  let response: Response
  let text: string
  try {
    response = await fetch(path + search, {
      method,
      headers: {
        authorization: `Bearer ${secret}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
      credentials: 'omit',
    })
    text = await response.text()
  } catch (error) {
    if (signal?.aborted) throw error
    throw new AnswerError(`the service did not answer ${method} ${path}; is it still running?`, 0)
  }
  if (response.ok) return (text === '' ? undefined : parse(text)) as T
  const failure = readFailure(text, response)
  // A late answer to a session that has ended does not affect the present one.
  if (failure.status === 401 && secret === token.value) signOut(failure.message)
  throw failure
}

/** Of a service that is starting, ending or without its storage; its reason is for its operator, who finds it in the log. */
const UNAVAILABLE = 'The service cannot answer right now. Try again in a moment.'

function readFailure(text: string, response: Response): AnswerError {
  const traceId = response.headers.get(TRACE_ID_HEADER) ?? ''
  if (response.status === 503) return new AnswerError(UNAVAILABLE, 503, traceId)
  try {
    const { message, detail } = JSON.parse(text) as ErrorBody
    return new AnswerError(message, response.status, traceId, detail)
  } catch {
    return new AnswerError(`the service answered ${response.status} with no reason`, response.status, traceId)
  }
}

type CallOptions = AbortSignal | Pick<RequestOptions, 'signal' | 'secret' | 'parse'>

/** A function for each operation of a resource: it takes the parameters of the path, then a query or a body, then a signal or options. */
export type RequestsOf<C extends Calls, O extends { [K in keyof C]: Pick<Operation, 'call' | 'query' | 'body' | 'gives'> }> = {
  readonly [K in keyof C]: (...given: [...Arguments<C[K], O[K]>, options?: CallOptions]) => Promise<Infer<O[K]['gives']>>
}

/** @returns the functions of a {@link RequestsOf} */
export function createCalls<Requests>(calls: { readonly [K in keyof Requests]: Call }): Requests {
  const functions = Object.entries<Call>(calls).map(([name, call]) => [
    name,
    (...given: unknown[]) => {
      const { path, options, ...asked } = requestOf<CallOptions>(call, given)
      return request(path, { ...asked, ...(options instanceof AbortSignal ? { signal: options } : options) })
    },
  ])
  return Object.fromEntries(functions)
}

/** @returns whether a request was canceled on purpose, so that there is nothing to show */
export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}

export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
