/**
 * What the clients of most resources have in common: a request whose answer is one object or a list of them, known by one text
 * member. Deliberately not here: rules of any resource.
 */
import { type Call as Asking, type Calls, requestOf } from '@deployment-annotations/contract/call'
import type { Arguments, Operation } from '@deployment-annotations/contract/operation'
import type { InferClient } from '@deployment-annotations/contract/schema'
import { type Call, type CallOptions, runCall } from './calls.ts'
import type { Connection } from './connection.ts'
import { parseJson, parseNothing, type Reply, unexpected } from './reply.ts'
import { type ApiRequest, pathWith } from './request.ts'

interface Asked<T> {
  /** Sent as JSON. */
  body?: unknown
  headers?: ApiRequest['headers']
  /** Takes the reply apart. @throws ProtocolError */
  read: (reply: Reply) => T
  options: CallOptions | undefined
  /**
   * A request that would make a second one, or be refused, if it was sent again: where its answer is lost, the call fails, and the
   * error's `mayHaveTakenEffect` is true.
   */
  isSentOnce?: boolean
}

/** @returns a function that asks for what is at a path, again where that may help */
export function createAsk(connection: Connection) {
  return <T>(method: ApiRequest['method'], path: string, { body, headers, read, options, isSentOnce }: Asked<T>): Promise<T> => {
    const request: ApiRequest = {
      method,
      path,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(headers === undefined ? {} : { headers }),
    }
    const call: Call<T> = { request, read, ...(isSentOnce ? { recover: async () => 'give-up' as const } : {}) }
    return runCall(connection, call, options ?? {})
  }
}

/**
 * A function for each operation of a resource: it takes the parameters of the path, then a query or a body, then options.
 * @typeParam C the calls, whose comments it has
 * @typeParam O what they take and give
 */
export type ClientOf<C extends Calls, O extends { [K in keyof C]: Pick<Operation, 'call' | 'query' | 'body' | 'gives'> }> = {
  readonly [K in keyof C]: (...given: [...Arguments<O[K]>, options?: CallOptions]) => Promise<InferClient<O[K]['gives']>>
}

/** @returns the functions of a {@link ClientOf} */
export function createCalls<Client>(connection: Connection, calls: { readonly [K in keyof Client]: Asking }): Client {
  const ask = createAsk(connection)
  const functions = Object.entries<Asking>(calls).map(([name, call]) => [
    name,
    (...given: unknown[]) => {
      const { method, path, query, body, options } = requestOf<CallOptions>(call, given)
      return ask(method, query ? pathWith(path, query) : path, {
        body,
        ...(call.reads === 'text' && { headers: { accept: 'text/plain' } }),
        read: readerOf(call),
        options,
        ...(call.isSentOnce && { isSentOnce: true }),
      })
    },
  ])
  return Object.fromEntries(functions)
}

/** @returns what reads an answer, which is believed if it is what the call says */
function readerOf({ one, list, lists, reads }: Asking): (reply: Reply) => unknown {
  if (one !== undefined) return oneWith<Record<string, unknown>>(one)
  if (list !== undefined) return listWith<Record<string, unknown>>(list)
  if (lists) return oneWithLists<Record<string, unknown>>(...lists)
  if (reads === 'text') return ({ text }) => text
  return reads ? parseTexts : parseNothing
}

/** What can be asked of the items of most resources, each known by its id. */
export interface ResourceClient<Item, New, Change, Made = Item> {
  /**
   * A create whose answer is lost is not sent again, because that could make a second one, or lose the secret of the first: the error's
   * `mayHaveTakenEffect` is then true, and the list shows whether it is there.
   */
  create(item: New, options?: CallOptions): Promise<Made>
  list(options?: CallOptions): Promise<Item[]>
  get(id: string, options?: CallOptions): Promise<Item>
  /** Members that are not sent keep their values. */
  change(id: string, change: Change, options?: CallOptions): Promise<Item>
  delete(id: string, options?: CallOptions): Promise<void>
}

/** @param pathOf the path of the item with an id */
export function createResourceClient<Item extends { id: string }, New, Change, Made extends { id: string } = Item>(
  connection: Connection,
  path: string,
  pathOf: (id: string) => string,
): ResourceClient<Item, New, Change, Made> {
  const ask = createAsk(connection)
  const read = oneWith<Item>('id')
  return {
    create: (body, options) => ask('POST', path, { body, read: oneWith<Made>('id'), options, isSentOnce: true }),
    list: (options) => ask('GET', path, { read: listWith<Item>('id'), options }),
    get: (id, options) => ask('GET', pathOf(id), { read, options }),
    change: (id, body, options) => ask('PUT', pathOf(id), { body, read, options }),
    delete: (id, options) => ask('DELETE', pathOf(id), { read: parseNothing, options }),
  }
}

/** @returns what reads one object that has this member as a text */
export function oneWith<T>(member: keyof T & string): (reply: Reply) => T {
  return (reply) => {
    const body = parseJson(reply)
    if (!hasText(body, member)) throw unexpected(reply, `an object with the member ${member}`)
    return body as T
  }
}

/** @returns what reads one object whose members of these names are lists */
export function oneWithLists<T>(...members: (keyof T & string)[]): (reply: Reply) => T {
  return (reply) => {
    const body = parseJson(reply) as Partial<T> | null
    if (members.every((member) => Array.isArray(body?.[member]))) return body as T
    throw unexpected(reply, `an object with lists as ${members.join(' and ')}`)
  }
}

/** @returns what reads a list of objects that have this member as a text */
export function listWith<T>(member: keyof T & string): (reply: Reply) => T[] {
  return (reply) => {
    const body = parseJson(reply)
    const isList = Array.isArray(body) && body.every((item) => hasText(item, member))
    if (!isList) throw unexpected(reply, `a list of objects with the member ${member}`)
    return body as T[]
  }
}

/** Reads a list of texts. @throws ProtocolError */
function parseTexts(reply: Reply): string[] {
  const body = parseJson(reply)
  if (!Array.isArray(body) || !body.every((item) => typeof item === 'string')) throw unexpected(reply, 'a list of texts')
  return body
}

function hasText(value: unknown, member: string): boolean {
  return typeof value === 'object' && value !== null && typeof (value as Record<string, unknown>)[member] === 'string'
}
