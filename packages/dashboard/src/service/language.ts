/** Requests the names of the query language, for completion. */
import { LANGUAGE_PATH } from '@deployment-annotations/contract/query'
import type { Language as AllNames, LanguageFunction } from '@deployment-annotations/contract/schemas/language'
import { AnswerError, request } from './request.ts'

export type { LanguageFunction }

/** The names that completion needs. A service without sources other than datasets does not return any. */
export type Language = Pick<AllNames, 'operators' | 'functions'> & Partial<Pick<AllNames, 'sources'>>

const NONE: Language = { operators: [], functions: [] }

/** @returns no names if the service does not have them, so that datasets and fields are completed all the same */
export async function readLanguage(signal: AbortSignal): Promise<Language> {
  try {
    return await request<Language>(LANGUAGE_PATH, { signal })
  } catch (error) {
    if (error instanceof AnswerError && error.status === 404) return NONE
    throw error
  }
}
