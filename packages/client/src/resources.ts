/**
 * What the clients of most resources have in common: a function for each operation, whose answer is believed if it is what the call says.
 * Deliberately not here: rules of any resource.
 */
import { type Call as Asking, type Calls, requestOf } from '@deployment-annotations/contract/call'
import type { Arguments, Operation } from '@deployment-annotations/contract/operation'
import type { InferClient } from '@deployment-annotations/contract/schema'
import { type CallOptions, runCall, startContext } from './calls.ts'
import type { Connection } from './connection.ts'
import { parseNothing, type Reply, readerOf } from './reply.ts'
import type { ApiRequest } from './request.ts'

/**
 * A request that would make a second one, or be refused, if it was sent again: where its answer is lost, the call fails, and the error's
 * `mayHaveTakenEffect` is true.
 */
const giveUp = async () => 'give-up' as const

/**
 * A function for each operation of a resource: it takes the parameters of the path, then a query or a body, then options.
 * @typeParam C the calls, whose comments it has
 * @typeParam O what they take and give
 */
export type ClientOf<C extends Calls, O extends { [K in keyof C]: Pick<Operation, 'call' | 'query' | 'body' | 'gives'> }> = {
  readonly [K in keyof C]: (...given: [...Arguments<C[K], O[K]>, options?: CallOptions]) => Promise<InferClient<O[K]['gives']>>
}

/** @returns the functions of a {@link ClientOf} */
export function createCalls<Client>(connection: Connection, calls: { readonly [K in keyof Client]: Asking }): Client {
  const functions = Object.entries<Asking>(calls).map(([name, call]) => [
    name,
    (...given: unknown[]) => {
      const { method, path, query, body, options = {} } = requestOf<CallOptions>(call, given)
      const request: ApiRequest = {
        method,
        path: query ? pathWith(path, query) : path,
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(call.reads === 'text' && { headers: { accept: 'text/plain' } }),
      }
      const asked = { request, read: readerOf(call) }
      // Where the answer to a request that is sent once is lost, the error's `mayHaveTakenEffect` is true.
      return runCall(connection, call.isSentOnce ? { ...asked, recover: async () => 'give-up' } : asked, options)
    },
  ])
  return Object.fromEntries(functions)
}

/** @returns what reads the answer to a call. It throws ProtocolError */
function readerOf({ one, list, lists, reads }: Asking): (reply: Reply) => unknown {
  if (one !== undefined) return readerOfJson(`an object with the member ${one}`, (body) => hasText(body, one))
  if (list !== undefined) return readerOfList(`a list of objects with the member ${list}`, (item) => hasText(item, list))
  if (lists) {
    const areLists = (body: unknown) => lists.every((name) => Array.isArray((body as Record<string, unknown> | null)?.[name]))
    return readerOfJson(`an object with lists as ${lists.join(' and ')}`, areLists)
  }
  if (reads === 'text') return ({ text }) => text
  return reads ? readerOfList('a list of texts', (item) => typeof item === 'string') : parseNothing
}

function readerOfJson(expected: string, isExpected: (body: unknown) => boolean): (reply: Reply) => unknown {
  return (reply) => {
    const body = parseJson(reply)
    if (!isExpected(body)) throw unexpected(reply, expected)
    return body
  }
}

function readerOfList(expected: string, isExpected: (item: unknown) => boolean): (reply: Reply) => unknown {
  return readerOfJson(expected, (body) => Array.isArray(body) && body.every(isExpected))
}

function hasText(value: unknown, member: string): boolean {
  return typeof (value as Members | null)?.[member] === 'string'
}
