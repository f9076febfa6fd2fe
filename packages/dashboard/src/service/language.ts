/** The names of the query language, as the page uses them: for completion. */
import {
  LANGUAGE_PATH,
  type LanguageOperator,
  type LanguageSource,
  type LanguageFunction as NamedFunction,
} from '@deployment-annotations/contract/language'
import { AnswerError, request } from './request.ts'

export type LanguageFunction = Omit<NamedFunction, 'signature'>

/** What completion needs of them. */
export interface Language {
  operators: readonly (Pick<LanguageOperator, 'name'> & Partial<LanguageOperator>)[]
  functions: readonly LanguageFunction[]
  /** A service that has none does not say so. */
  sources?: readonly LanguageSource[]
}

const NONE: Language = { operators: [], functions: [] }

/** @returns no names from a service that does not tell them, so that datasets and fields are completed all the same */
export async function readLanguage(signal: AbortSignal): Promise<Language> {
  try {
    return await request<Language>(LANGUAGE_PATH, { signal })
  } catch (error) {
    if (error instanceof AnswerError && error.status === 404) return NONE
    throw error
  }
}
