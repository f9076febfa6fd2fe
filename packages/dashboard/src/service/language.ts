/** The names of the query language, as the page uses them: for completion. */
import { AnswerError, request } from './request.ts'

export interface Language {
  operators: readonly { name: string; signature?: string }[]
  functions: readonly LanguageFunction[]
}

export interface LanguageFunction {
  name: string
  kind: 'scalar' | 'aggregation'
  /** How each argument is read: `text`, `number?` (may be left out), `any*` (any number of them, last). */
  parameters: readonly string[]
}

const NONE: Language = { operators: [], functions: [] }

/** @returns no names from a service that does not tell them, so that datasets and fields are completed all the same */
export async function readLanguage(signal: AbortSignal): Promise<Language> {
  try {
    return await request<Language>('/v2/language', { signal })
  } catch (error) {
    if (error instanceof AnswerError && error.status === 404) return NONE
    throw error
  }
}
