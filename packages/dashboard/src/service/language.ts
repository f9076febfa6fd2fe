/** Requests the names of the query language, for completion. */
import {
  type Language as AllNames,
  type LANGUAGE,
  LANGUAGE_CALLS,
  type LanguageFunction,
} from '@deployment-annotations/contract/language'
import { createCalls, type RequestsOf } from './request.ts'

export type { LanguageFunction }

/** The names that completion needs. */
export type Language = Pick<AllNames, 'operators' | 'functions'> & Partial<Pick<AllNames, 'sources'>>

export const { language: readLanguage } = createCalls<RequestsOf<typeof LANGUAGE_CALLS, typeof LANGUAGE>>(LANGUAGE_CALLS)
