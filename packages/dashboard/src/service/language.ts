/** The names of the query language, as the page uses them: for completion. */
import { LANGUAGE_PATH } from '@deployment-annotations/contract/query'
import type { Language as AllNames, LanguageFunction } from '@deployment-annotations/contract/schemas/language'
import { AnswerError, request } from './request.ts'

export type { LanguageFunction }

/** What completion needs of them. A service that has no sources but datasets does not say so. */
export type Language = Pick<AllNames, 'operators' | 'functions'> & Partial<Pick<AllNames, 'sources'>>

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
