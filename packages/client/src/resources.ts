/**
 * What the clients of most resources have in common: a function for each operation, whose answer is believed if it is what the call says.
 * Deliberately not here: rules of any resource.
 */
import { type Call as Asking, type Calls, requestOf } from '@deployment-annotations/contract/call'
import type { Arguments, Operation } from '@deployment-annotations/contract/operation'
import type { InferClient } from '@deployment-annotations/contract/schema'
import { type Call, type CallOptions, runCall, startContext } from './calls.ts'
import type { Connection } from './connection.ts'
import { parseNothing, readerOf } from './reply.ts'

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
  const functions = Object.entries<Asking>(calls).map(([name, call]) => {
    const reading = readingOf(call)
    const ask = (...given: unknown[]) => {
      const { options = {}, ...request } = requestOf<CallOptions>(call, given)
      return runCall(startContext(connection, options), { ...request, ...reading, recover: call.isSentOnce && giveUp })
    }
    return [name, ask]
  })
  return Object.fromEntries(functions)
}

type Reading = Pick<Call<unknown>, 'read' | 'headers'>

/** @returns what reads an answer, which is believed if it is what the call says */
function readingOf({ one, list, lists, reads }: Asking): Reading {
  if (reads === 'text') return { read: ({ text }) => text, headers: { accept: 'text/plain' } }
  if (reads === 'texts') return believe((body) => isListOf(body, (item) => typeof item === 'string'), 'a list of texts')
  if (one !== undefined) return believe((body) => hasText(body, one), `an object with the member ${one}`)
  if (list !== undefined)
    return believe((body) => isListOf(body, (item) => hasText(item, list)), `a list of objects with the member ${list}`)
  if (!lists) return { read: parseNothing }
  const hasLists = (body: unknown) => lists.every((name) => Array.isArray((body as Members | null)?.[name]))
  return believe(hasLists, `an object with lists as ${lists.join(' and ')}`)
}

type Members = Readonly<Record<string, unknown>>

function believe(is: (body: unknown) => boolean, expected: string): Reading {
  return { read: readerOf((body) => (is(body) ? body : undefined), expected) }
}

function isListOf(value: unknown, is: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(is)
}

function hasText(value: unknown, member: string): boolean {
  return typeof (value as Members | null)?.[member] === 'string'
}
