/** Requests the names of the query language, for completion. */
import {
  type Language as AllNames,
  type LANGUAGE,
  LANGUAGE_CALLS,
  type LanguageFunction,
} from '@deployment-annotations/contract/language'
import { AnswerError, createCalls, type RequestsOf } from './request.ts'

export type { LanguageFunction }

/** The names that completion needs. A service without sources other than datasets does not return any. */
export type Language = Pick<AllNames, 'operators' | 'functions'> & Partial<Pick<AllNames, 'sources'>>

const requests = createCalls<RequestsOf<typeof LANGUAGE_CALLS, typeof LANGUAGE>>(LANGUAGE_CALLS)

const NONE: Language = { operators: [], functions: [] }

/** @returns no names if the service does not have them, so that datasets and fields are completed all the same */
export async function readLanguage(signal: AbortSignal): Promise<Language> {
  try {
    return await requests.language(signal)
  } catch (error) {
    if (error instanceof AnswerError && error.status === 404) return NONE
    throw error
  }
}
