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

/** @returns the part of the text that the caret is at, the message and the hint */
export function told(text: string): [at: string, message: string, hint: string | undefined] {
  const { span, message, hint } = errorOf(text)
  return [text.slice(span.start, span.end), message, hint]
}
