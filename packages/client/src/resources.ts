/**
 * What the clients of most resources have in common: a function for each operation, whose answer is believed if it is what the call says.
 * Deliberately not here: rules of any resource.
 */
import { type Call as Asking, type Calls, requestOf } from '@deployment-annotations/contract/call'
import type { Arguments, Operation } from '@deployment-annotations/contract/operation'
import type { InferClient } from '@deployment-annotations/contract/schema'
import { type CallOptions, runCall, startContext } from './calls.ts'
import type { Connection } from './connection.ts'
import { parseNothing, readerOf } from './reply.ts'

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
  const functions = Object.entries<Asking>(calls).map(([name, call]) => {
    const headers = call.reads === 'text' ? { accept: 'text/plain' } : undefined
    // Where the answer to a request that is sent once is lost, the error's `mayHaveTakenEffect` is true.
    const recover = call.isSentOnce && (async () => 'give-up' as const)
    const asked = { headers, recover, read: reading(call) }
    const ask = (...given: unknown[]) => {
      const { options = {}, ...request } = requestOf<CallOptions>(call, given)
      return runCall(startContext(connection, options), { ...request, ...asked })
    }
    return [name, ask]
  })
  return Object.fromEntries(functions)
}

/** @returns what reads the answer to a call. It throws ProtocolError */
function reading({ one, list, lists, reads }: Asking): (reply: Reply) => unknown {
  if (reads === 'text') return ({ text }) => text
  if (one !== undefined) return believe((body) => hasText(body, one), `an object with the member ${one}`)
  if (list !== undefined) return believeList((item) => hasText(item, list), `a list of objects with the member ${list}`)
  if (lists) {
    const hasLists = (body: unknown) => lists.every((name) => Array.isArray((body as Members | null)?.[name]))
    return believe(hasLists, `an object with lists as ${lists.join(' and ')}`)
  }
  return reads ? believeList((item) => typeof item === 'string', 'a list of texts') : parseNothing
}

type Members = Readonly<Record<string, unknown>>

function believe(is: (body: unknown) => boolean, expected: string): Reading {
  return { read: readerOf((body) => (is(body) ? body : undefined), expected) }
}

function believeList(is: (item: unknown) => boolean, expected: string): (reply: Reply) => unknown {
  return believe((body) => Array.isArray(body) && body.every(is), expected)
}

function hasText(value: unknown, member: string): boolean {
  return typeof (value as Members | null)?.[member] === 'string'
}
