/**
 * What a resource can be asked, said once: of each operation the words, what it takes and gives, who may call it and which errors it
 * answers. The routes of the service, the document, and the types of clients are made of it. What follows from the form of an operation
 * is not said again. Deliberately not here: any one resource.
 */
import type { Call, Calls } from './call.ts'
import { IDEMPOTENCY_KEY_HEADER, IDEMPOTENCY_KEY_PATTERN } from './header.ts'
import type { Permission } from './permission.ts'
import { type InferClient, list, type Members, optional, type Schema, text } from './schema.ts'

type Action = 'create' | 'read' | 'update' | 'delete'
/** What can be made, read, changed and deleted, as permissions name it. */
type Kind<P = Permission> = P extends `${infer K}|delete` ? K : never

/**
 * Who may call an operation: who has the permission, who has any token, who has a personal one, who signs with the secret of an
 * integration, who asks.
 */
export type Access = Permission | 'any token' | 'personal token' | 'signature' | 'anyone'

/** What operations are about, as the document groups them. */
export const TAGS = {
  annotations: 'Markers on charts, whether releases hurt, and what may have caused what is seen.',
  datasets: 'Where events are stored: retention, fields, map fields and virtual fields.',
  ingest: 'Events are sent here, in the forms of several protocols.',
  query: 'Queries over events, and the names of their language.',
  monitors: 'Queries that run at an interval, and mark the time during which their value is beyond a threshold.',
  notifiers: 'Where messages about verdicts, failures and monitors are sent.',
  integrations: 'Hosting platforms whose deployments are marked, and their webhooks.',
  'saved views': 'What a page of charts shows, under a name.',
  tokens: 'Who may do what.',
  export: 'Everything that the service has, for another one.',
  service: 'The service itself: its health, its metrics, whose token this is.',
} as const

interface Resource<Item, Client> {
  /** What one is called, for words and for the ids of operations. */
  noun: string
  tag: keyof typeof TAGS
  /** Operations need the permission to do this kind of thing with them; without it, any token will do. */
  permissions?: Kind
  /** The parameters of paths. */
  params?: Members
  /** What answers show. */
  item?: Schema<Item, Client>
  /** Members that only this service has: published clients may refuse what they do not know, so they are answered if they are asked for. */
  own?: readonly string[]
}

/** What an operation says of itself; without it stands what follows from its form. */
interface Words {
  operationId?: string
  summary?: string
  description?: string
  /** For which a permission is needed. */
  action?: Action
  access?: Access
  /** Headers of the request; the service reads them itself. */
  headers?: Members
  query?: Schema
  body?: Schema
  /** What is answered: by default what the resource shows, or a list of them. */
  gives?: Schema
  /** What the answer is; by its status if there are several. */
  answer?: string | Readonly<Record<number, string>>
  status?: number
  /** The type of the answer; by default JSON. */
  media?: string
  /** The answer has a secret, which nothing on its way may keep. */
  isSecret?: true
  /** Errors besides those that follow from its form, or what one means here. */
  errors?: readonly number[]
  errorTexts?: Readonly<Record<number, string>>
}

/** One operation, whole. */
export interface Operation extends Pick<Call, 'call' | 'include'> {
  readonly operationId: string
  readonly summary: string
  readonly description?: string | undefined
  readonly tags: readonly string[]
  readonly access: Access
  readonly params: Members
  readonly headers: Members
  readonly query?: Schema | undefined
  readonly body?: Schema | undefined
  readonly gives?: Schema | undefined
  /** What each status of a success means; the first is the usual one. */
  readonly answers: Readonly<Record<number, string>>
  readonly media: string
  readonly isSecret: boolean
  /** Members that are answered if the request asks for all. */
  readonly own: readonly string[]
  /** The statuses of errors, each with what it means here; empty for what it always means. */
  readonly errors: Readonly<Record<number, string>>
}

/** What a client sends is said where the call says that it takes it. */
type Taking<C extends Call> = C extends { takes: infer Part extends string } ? Readonly<Record<Part, Schema>> : unknown

/** What an operation gives: what it says, or what its resource shows. */
type Gives<C extends Call, Item, Client, W> = W extends { gives: infer S extends Schema }
  ? S
  : C extends { list: string }
    ? Schema<Item[], Client[]>
    : C extends { one: string }
      ? Schema<Item, Client>
      : Schema<void>

/** An operation with the types of what it takes and gives. */
type OperationOf<C extends Call, Item, Client, W> = Omit<Operation, 'call' | 'query' | 'body' | 'gives'> & {
  readonly call: C['call']
  readonly query: W extends { query: infer S extends Schema } ? S : undefined
  readonly body: W extends { body: infer S extends Schema } ? S : undefined
  readonly gives: Gives<C, Item, Client, W>
}

type PathArguments<Text> = Text extends `${string}{${string}}${infer Rest}` ? [id: string, ...PathArguments<Rest>] : []
/** Parameters that are undefined are left out. */
type Sent<Query> = { readonly [K in keyof Query]: object extends Pick<Query, K> ? Query[K] | undefined : Query[K] }
type QueryArgument<S, C> = S extends Schema
  ? object extends InferClient<S>
    ? [query?: Given<Sent<InferClient<S>>, C>]
    : [query: Given<InferClient<S>, C>]
  : []
type BodyArgument<S, C> = S extends Schema ? [body: Given<InferClient<S>, C>] : []
/** All of it, or the member that the call names. */
type Given<Value, C> = C extends { member: infer Name extends keyof Value } ? Value[Name] : Value

/** What a client gives to call an operation. */
export type Arguments<C extends Call, O extends Pick<Operation, 'query' | 'body'>> = [
  ...PathArguments<C['call']>,
  ...QueryArgument<O['query'], C>,
  ...BodyArgument<O['body'], C>,
]

/** The header of a request that may be repeated. */
export function idempotencyKey(description: string) {
  const key = text(description, { minLength: 1, maxLength: 255, pattern: IDEMPOTENCY_KEY_PATTERN })
  return optional({ [IDEMPOTENCY_KEY_HEADER]: key })
}

const ACTIONS = { GET: 'read', POST: 'create', PUT: 'update', DELETE: 'delete' } as const

/** What each status of an error comes from, where operations need not say it: the path names one, a body is sent, something is written. */
const OF_PATH = [400, 404]
const OF_BODY = [400, 413, 415, 422]
const OF_WRITE = [507]

/** @returns the operations that the calls are about */
export function operations<
  const C extends Calls,
  Item,
  Client,
  const W extends { readonly [K in keyof C]: Words & Taking<C[K]> },
>(calls: C, resource: Resource<Item, Client>, words: W) {
  const all = Object.entries(calls).map(([name, call]) => [name, operation(name, call, resource, words[name] as Words)])
  return Object.fromEntries(all) as { [K in keyof C]: OperationOf<C[K], Item, Client, W[K]> }
}

function operation(name: string, call: Call, resource: Resource<unknown, unknown>, own: Words): Operation {
  const { noun, tag, permissions, params = {}, item } = resource
  const words = { ...wordsOf(name, noun), ...own }
  const [method, path] = call.call.split(' ') as [keyof typeof ACTIONS, string]
  const access = words.access ?? (permissions ? (`${permissions}|${words.action ?? ACTIONS[method]}` as Permission) : 'any token')
  const gives = words.gives ?? (call.list && item ? list(item) : call.one ? item : undefined)
  const status = words.status ?? (gives ? 200 : 204)
  const named = Object.entries(params).filter(([param]) => path.includes(`{${param}}`))
  const isSigned = access === 'signature'
  const errors = [
    ...(access === 'anyone' ? [] : [401]),
    ...(access === 'anyone' || access === 'any token' || isSigned ? [] : [403]),
    // A path that names none is answered as a wrong signature is.
    ...(named.length > 0 && !isSigned ? OF_PATH : []),
    ...(words.query || call.include ? [422] : []),
    ...(words.body ? OF_BODY : []),
    ...(method === 'GET' || access.endsWith('|read') ? [] : OF_WRITE),
    ...(words.errors ?? []),
  ].map((one) => [one, one === 404 ? `There is no such ${noun}.` : ''])
  return {
    call: call.call,
    ...(call.include && { include: call.include }),
    operationId: words.operationId,
    summary: words.summary,
    description: words.description,
    tags: [tag],
    access,
    params: Object.fromEntries(named),
    headers: words.headers ?? {},
    query: words.query,
    body: words.body,
    gives,
    answers: typeof words.answer === 'object' ? words.answer : { [status]: words.answer },
    media: words.media ?? 'application/json',
    isSecret: words.isSecret ?? false,
    own: call.include ? (resource.own ?? []) : [],
    errors: { ...Object.fromEntries(errors), ...words.errorTexts },
  }
}

/** @returns the words of what most resources can be asked */
function wordsOf(name: string, noun: string) {
  const one = `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`
  const id = noun.replace(/(?:^| )\w/g, (letter) => letter.trim().toUpperCase())
  const verb = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
  const isList = name === 'list'
  const answers: Readonly<Record<string, string>> = {
    list: `All ${noun}s, the oldest first.`,
    create: `The ${noun} with its id.`,
    change: `The ${noun} after the change.`,
    delete: 'It was deleted.',
  }
  return {
    operationId: `${name}${id}${isList ? 's' : ''}`,
    summary: isList ? `List ${noun}s` : `${verb} ${one}`,
    answer: answers[name] ?? `The ${noun}.`,
    ...(name === 'create' && { status: 201 }),
  }
}
