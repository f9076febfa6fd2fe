/** What the author of a wrong query is told. */
import { type CompileOptions, compile } from '../../src/compile.ts'
import { QueryError } from '../../src/error.ts'
import { options } from './web.ts'

/** @returns what `compile` returns, or what is wrong with the query */
export function orError<T>(compile: () => T): T | QueryError {
  try {
    return compile()
  } catch (error) {
    if (error instanceof QueryError) return error
    throw error
  }
}

/** @throws Error where the query compiles */
export function errorOf(text: string, extra: Partial<CompileOptions> = {}): QueryError {
  const error = orError(() => compile(text, { ...options, ...extra }))
  if (error instanceof QueryError) return error
  throw new Error(`compiled: ${text}`)
}
