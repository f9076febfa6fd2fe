/**
 * Answers of routes by their status, in the form that Fastify and the document take, and what each status of an error means everywhere.
 * Deliberately not here: the shapes themselves, which are the contract's.
 */
import { ERROR } from '@deployment-annotations/contract/error-body'
import type { Schema } from '@deployment-annotations/contract/schema'

interface Answer {
  description: string
  content: { 'application/json': { schema: Schema } }
}

export function answerOf(description: string, schema: Schema): Answer {
  return { description, content: { 'application/json': { schema } } }
}

const ERROR_TEXTS: Readonly<Record<number, string>> = {
  400: 'The request cannot be read: malformed JSON or id.',
  401: 'No token, or an unknown one.',
  403: 'The token lacks the permission.',
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
}

/** @returns the error answers of an operation, by their statuses; what one means everywhere need not be said */
export function errorAnswersOf(errors: Readonly<Record<number, string>>): Record<number, Answer> {
  const all = Object.entries({ ...errors, 500: '', 503: '' })
  return Object.fromEntries(all.map(([status, text]) => [status, answerOf(text || (ERROR_TEXTS[Number(status)] ?? ''), ERROR)]))
}
