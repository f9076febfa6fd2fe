/** What the author of a wrong query is told. */
import { type CompileOptions, compile } from '../../src/compile.ts'
import { QueryError } from '../../src/error.ts'
import { options } from './web.ts'

/** @throws Error where the query compiles */
export function errorOf(text: string, extra: Partial<CompileOptions> = {}): QueryError {
  try {
    compile(text, { ...options, ...extra })
  } catch (error) {
    if (error instanceof QueryError) return error
    throw error
  }
  throw new Error(`compiled: ${text}`)
}
