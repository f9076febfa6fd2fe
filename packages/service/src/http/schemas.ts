/**
 * Functions that build the schemas of routes: answers by their status, and parts that only the document shows.
 * Deliberately not here: the shapes themselves, which are the contract's.
 */
import { ErrorSchema } from '@deployment-annotations/contract/schemas/error-body'
import type { DeepReadonly } from '@deployment-annotations/contract/schemas/parts'
import { DOCUMENTED, refTo } from '@deployment-annotations/contract/schemas/parts'
import Type from '@deployment-annotations/contract/schemas/type'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import type { Static, TSchema, TUnsafe } from 'typebox'

/** @returns the app with routes typed by their schemas: what handlers get, and what they may answer */
export function typed(app: FastifyInstance) {
  return app.withTypeProvider<TypeBoxTypeProvider>()
}

/** An answer with a body, in the form that Fastify and the document take. */
interface Answer<T> {
  description: string
  content: { 'application/json': { schema: TUnsafe<T> } }
}

/** @returns an answer with a body; handlers of the route can only give what its schema says */
export function answer<T extends TSchema>(description: string, schema: T): Answer<DeepReadonly<Static<T>>> {
  return answerOf(description, schema)
}

/**
 * The same for an answer whose body the handler writes itself.
 * @typeParam Written what it hands over: text, a stream
 */
export function writtenAnswer<Written>(description: string, schema: TSchema): Answer<Written> {
  return answerOf(description, schema)
}

/** @returns an answer that its route writes itself, or that an error becomes */
export function answerOf<T>(description: string, schema: TSchema): Answer<T> {
  return { description, content: { 'application/json': { schema: schema as TUnsafe<T> } } }
}

/** @returns an answer with a secret, which nobody on its way may keep: the handler sets the header that says so */
export function secretAnswer<T extends TSchema>(description: string, schema: T) {
  return { ...answer(description, schema), headers: { 'cache-control': { type: 'string', description: '`no-store`' } } }
}

/** @returns an answer without a body */
export function emptyAnswer(description: string): TUnsafe<undefined> {
  return Type.Unsafe<undefined>({ description, type: 'null' })
}

/** @returns a part of a request that the document shows and that the handler reads itself, because its rules are more than a schema can say */
export function documented(schema: TSchema): TUnsafe<unknown> {
  return Type.Unsafe<unknown>({ [DOCUMENTED]: schema })
}

const ERROR_TEXTS = {
  400: 'The request cannot be read: malformed JSON or id.',
  401: 'No token, or an unknown one.',
  403: 'The token lacks the permission.',
  404: 'There is no such annotation.',
  409: 'A create with this Idempotency-Key is still under way; try again.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  422: 'The body or a parameter breaks a rule; `code` says which.',
  429: 'The token has its share of what runs and waits; try again.',
  432: 'The query needs more memory, or its answer more space, than is allowed.',
  500: 'The service failed; its log has the details under the trace id.',
  503: 'The store is busy or unavailable; try again.',
  504: 'The query took longer than is allowed.',
  507: 'The disk is full; nothing was stored.',
} as const

type ErrorStatus = keyof typeof ERROR_TEXTS

/** The type of error answers: errors are thrown, and no handler returns one. */
type ErrorAnswer = Answer<never>

/** @returns the error answers of a route, for its `response` schema */
export function errorAnswers<S extends ErrorStatus = never>(...statuses: S[]): Record<S | 500 | 503, ErrorAnswer> {
  const all = [...statuses, 500, 503] as const
  return Object.fromEntries(all.map((status) => [status, errorAnswer(ERROR_TEXTS[status])])) as Record<S | 500 | 503, ErrorAnswer>
}

/** @returns one error answer, for a status that means something of its own on a route */
export function errorAnswer(description: string): ErrorAnswer {
  return answerOf<never>(description, refTo(ErrorSchema))
}

/** @returns the error answers of an operation of the contract, by their statuses; what one means everywhere need not be said */
export function errorAnswersOf(errors: Readonly<Record<number, string>>): Record<number, ErrorAnswer> {
  const texts: Readonly<Record<number, string>> = ERROR_TEXTS
  const all = Object.entries({ ...errors, 500: '', 503: '' })
  return Object.fromEntries(all.map(([status, text]) => [status, errorAnswer(text || (texts[Number(status)] ?? ''))]))
}
