/**
 * An operation of the contract as a route: who may call it, what is validated, what the document says, and the status and headers that
 * each answer of it has. What is left for a handler is the work. Deliberately not here: the operations, which are the contract's.
 */
import type { Operation } from '@deployment-annotations/contract/operation'
import {
  byHand,
  type DeepReadonly,
  DOCUMENTED,
  type Infer,
  type Members,
  object,
  type Schema,
} from '@deployment-annotations/contract/schema'
import { endSlice } from '@deployment-annotations/runtime/concurrency/turns'
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import { type AnswerStream, bodyOf, type JsonText, listOfBatches, toJson } from '../query/answer-body.ts'
import { tidied, withoutNullsInside } from './body.ts'
import { includeParameter, shownTo } from './request-headers.ts'
import { errorAnswersOf } from './schemas.ts'

type ParameterNames<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | ParameterNames<Rest> : never
type Read<S> = S extends Schema ? Infer<S> : undefined

/** A request of an operation: what the schemas have checked, with its type; what the service reads by hand is unknown. */
export type RequestOf<O extends Operation> = FastifyRequest<{
  Params: Record<ParameterNames<O['call']>, string>
  Querystring: Read<O['query']>
  Body: Read<O['body']>
}>

type Handler<O extends Operation, Answer> = (request: RequestOf<O>, reply: FastifyReply) => Answer | Promise<Answer>

interface RouteOptions extends Omit<RouteShorthandOptions, 'schema'> {
  /** What is made of a body before it is validated; by default members that are null, at any depth, are taken out. */
  tidy?: (body: unknown) => unknown
}

type Pages<Item> = AsyncIterable<readonly Item[]> | Iterable<readonly Item[]>
/** A list may also be given page by page. */
type Answer<T> = T extends readonly (infer Item)[] ? T | AsyncIterable<readonly Item[]> : T

/** Adds the route of an operation. What the handler returns is the answer, without the members that the request does not ask for. */
export function route<O extends Operation>(
  app: FastifyInstance,
  operation: O,
  handler: Handler<O, Answer<DeepReadonly<Read<O['gives']>>>>,
  options: RouteOptions = {},
): void {
  const { own } = operation
  const answering: Handler<O, unknown> = async (request, reply) => {
    const show = (one: unknown) => (own.length > 0 ? shownTo(request, one as Record<string, unknown>, own) : one)
    const answer: unknown = await handler(request, reply)
    const pages = Array.isArray(answer) ? pagesOf(answer) : answer
    const isList = Array.isArray(answer) || (answer as Partial<AsyncIterable<unknown>> | undefined)?.[Symbol.asyncIterator]
    return isList ? sendList(writeItems(pages as Pages<unknown>, show), request, reply) : show(answer)
  }
  writtenRoute(app, operation, answering, options)
}

/** How many items of a list that is in memory are made and written at a time. */
const PAGE_ITEMS = 20

function* pagesOf<Item>(items: readonly Item[]): Generator<readonly Item[], void> {
  for (let at = 0; at < items.length; at += PAGE_ITEMS) yield items.slice(at, at + PAGE_ITEMS)
}

/** @returns what becomes of the items, page by page */
export async function* mapPages<From, To>(pages: Pages<From>, to: (item: From) => To): AsyncGenerator<readonly To[], void> {
  for await (const page of pages) yield page.map(to)
}

/** Items become text some at a time, so that a list of any length does not hold the event loop. */
async function* writeItems(pages: Pages<unknown>, show: (item: unknown) => unknown) {
  let from = performance.now()
  for await (const page of pages) {
    yield page.map((item) => toJson(show(item)))
    from = await endSlice(from)
  }
}

/** Sends a list while it is made, no faster than it is read: a long one is never whole in memory. */
export async function sendList(pages: AsyncIterable<readonly JsonText<unknown>[]>, request: FastifyRequest, reply: FastifyReply) {
  const answer = { pieces: listOfBatches(pages), async [Symbol.asyncDispose]() {} }
  return reply.type('application/json').send(await bodyOf(answer, faultsOf(request)))
}

/** @returns what to do when an answer fails that is sent in pieces, after its status */
export function faultsOf(request: FastifyRequest): AnswerStream {
  // The connection is then cut, so that the part is not taken for the whole.
  return { onFault: (fault) => Object.assign(request, { fault }) }
}

/** The same for an operation whose handler writes the body itself, or sends it, and hides what it is not asked for. */
export function writtenRoute<O extends Operation>(
  app: FastifyInstance,
  operation: O,
  handler: Handler<O, unknown>,
  { tidy = withoutNullsInside, config, preValidation = [], ...options }: RouteOptions = {},
): void {
  const [method = '', path = ''] = operation.call.split(' ')
  const [status] = Object.keys(operation.answers)
  app.route({
    ...options,
    method,
    url: path.replace(/\{(\w+)\}/g, ':$1'),
    config: { ...accessOf(operation), ...config },
    schema: schemaOf(operation),
    preValidation: [preValidation, isValidated(operation.body) ? tidied(tidy) : []].flat(),
    handler: (request, reply) => {
      // An error has its own status all the same.
      reply.status(Number(status))
      if (operation.isSecret) reply.header('cache-control', 'no-store')
      return handler(request as RequestOf<O>, reply)
    },
  })
}

function accessOf({ access }: Operation): FastifyContextConfig {
  if (access === 'anyone') return { open: true }
  // Of which platform, the route says itself.
  if (access === 'signature') return {}
  if (access === 'any token') return { anyToken: true }
  return access === 'personal token' ? { personal: true } : { permission: access }
}

function isValidated(part: Schema | undefined): boolean {
  return part !== undefined && Object.keys(part).some((keyword) => keyword !== DOCUMENTED)
}

/** @returns the operation as Fastify and the document take it */
function schemaOf({ operationId, summary, description, tags, params, headers, query, body, ...answered }: Operation) {
  const { answers, gives, media, isSecret, own, errors } = answered
  const querystring = own.length > 0 ? withParameters(query, includeParameter(own)) : query
  const isAny = (members: Members) => Object.keys(members).length > 0
  const content = gives && { content: { [media]: { schema: gives } } }
  const secret = isSecret && { headers: { 'cache-control': { type: 'string', description: '`no-store`' } } }
  const successes = Object.entries(answers).map(([status, text]) => [
    status,
    { description: text, ...((status !== '204' && content) || { type: 'null' }), ...secret },
  ])
  return {
    operationId,
    summary,
    tags,
    ...(description !== undefined && { description }),
    ...(isAny(params) && { params: object(params) }),
    ...(isAny(headers) && { headers: byHand(object(headers)) }),
    ...(querystring && { querystring }),
    ...(body && { body }),
    response: { ...errorAnswersOf(errors), ...Object.fromEntries(successes) },
  }
}

function withParameters(query: Schema | undefined, more: Members): Schema {
  if (query && !isValidated(query)) return byHand(withParameters(query[DOCUMENTED] as Schema, more))
  const { properties, ...added } = object(more)
  return { ...added, ...query, properties: { ...(query?.properties as object | undefined), ...(properties as object) } }
}
