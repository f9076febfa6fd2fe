/**
 * Operations on one kind of resource, as Fastify and the document take them: who may call them, what they get, and what they answer.
 * Deliberately not here: operations that are like no others, whose routes say all of this themselves.
 */

import type { Permission } from '@deployment-annotations/contract/permission'
import { refTo } from '@deployment-annotations/contract/schemas/parts'
import Type from '@deployment-annotations/contract/schemas/type'
import type { FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import type { TSchema } from 'typebox'
import { answer, emptyAnswer, type errorAnswer, errorAnswers } from './schemas.ts'

type Action = 'create' | 'read' | 'update' | 'delete'
/** What may be made, read, changed and deleted, as permissions name it. */
type Kind<P = Permission> = P extends `${infer K}|delete` ? K : never

interface Resource<P extends TSchema, S extends TSchema> {
  permissions: Kind
  tags: string[]
  /** What names one of them in a path. */
  params: P
  /** What answers show, by its name in the document. */
  schema: S
}

interface Words {
  operationId: string
  summary: string
  description?: string
  /** What the answer is. */
  answer: string
}

interface ChangeWords<B extends TSchema> extends Words {
  body: B
  /** Answers of errors that mean something of their own here. */
  errors?: Record<number, ReturnType<typeof errorAnswer>>
}

/** @returns functions that build the operations on the resource; each asks for the permission to do what it is named for */
export function operationsOn<P extends TSchema, S extends TSchema>({ permissions, tags, params, schema }: Resource<P, S>) {
  /** An operation that names none of them, or makes one. */
  const all = <const O extends FastifySchema>(action: Action, operation: O) => ({
    config: { permission: `${permissions}|${action}` as const },
    schema: { ...operation, tags },
  })
  /** An operation on one of them. */
  const one = <const O extends FastifySchema>(action: Action, operation: O) => all(action, { ...operation, params })
  const shown = refTo(schema)

  return {
    all,
    one,
    list: ({ answer: text, ...words }: Words) =>
      all('read', { ...words, response: { 200: answer(text, Type.Array(shown)), ...errorAnswers(401, 403) } }),
    get: ({ answer: text, ...words }: Words) =>
      one('read', { ...words, response: { 200: answer(text, shown), ...errorAnswers(400, 401, 403, 404) } }),
    /** Something else that is read of one of them. */
    read: <T extends TSchema>({ answer: text, of, ...words }: Words & { of: T }) =>
      one('read', { ...words, response: { 200: answer(text, of), ...errorAnswers(400, 401, 403, 404) } }),
    create: <B extends TSchema>({ answer: text, ...words }: Words & { body: B }) =>
      all('create', { ...words, response: { 201: answer(text, shown), ...errorAnswers(400, 401, 403, 413, 415, 422, 507) } }),
    change: <B extends TSchema>({ answer: text, errors, ...words }: ChangeWords<B>) => {
      const response = { 200: answer(text, shown), ...errorAnswers(400, 401, 403, 404, 413, 415, 422, 507), ...errors }
      return one('update', { ...words, response })
    },
    /** Its handler returns nothing. */
    remove: (words: Omit<Words, 'answer'>) => ({
      ...one('delete', {
        ...words,
        response: { 204: emptyAnswer('It was deleted.'), ...errorAnswers(400, 401, 403, 404, 507) },
      }),
      preHandler: answersNothing,
    }),
  }
}

/** A hook of operations whose answer has no body; an error has its own status all the same. */
async function answersNothing(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.status(204)
}
