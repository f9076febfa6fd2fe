/**
 * The names of the query language on the wire, for editors that complete them.
 */
import type { Static } from 'typebox'
import type { LanguageSchema } from './schemas/language.ts'

/** Every operator and function, synonyms included, and the sources that are no datasets. */
export type Language = Static<typeof LanguageSchema>
export type LanguageOperator = Language['operators'][number]
export type LanguageSource = Language['sources'][number]
export type LanguageFunction = Language['functions'][number]

export const LANGUAGE_PATH = '/v2/language'
