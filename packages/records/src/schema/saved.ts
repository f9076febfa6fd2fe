/**
 * The rows of saved queries and views.
 */
import type { QueryKind } from '@deployment-annotations/contract/query'
import type { NewSavedView } from '@deployment-annotations/contract/saved-view'
import { createCodec, json, number, oneOf, type RecordOf, type RowOf, text } from './row-codec.ts'

const CREATION = {
  /** The id of the token that created it. */
  createdBy: text,
  createdAtMs: number,
}

const SAVED_QUERY = {
  id: text,
  kind: oneOf<QueryKind>(),
  dataset: text,
  /** The body of the request as JSON text. */
  query: text,
  ...CREATION,
}
export type SavedQueryRecord = RecordOf<typeof SAVED_QUERY>
export type SavedQueriesTable = RowOf<typeof SAVED_QUERY>
export const SAVED_QUERY_CODEC = createCodec(SAVED_QUERY)

/** The members that people save, all of which are present. */
export type SavedViewDefinition = Required<NewSavedView>

/** A view that was saved before there were variables has none. */
type StoredDefinition = Omit<SavedViewDefinition, 'variables'> & Partial<Pick<SavedViewDefinition, 'variables'>>

const readDefinition = (stored: string): SavedViewDefinition => ({ variables: [], ...(JSON.parse(stored) as StoredDefinition) })

const SAVED_VIEW = {
  id: text,
  /** It begins at 1, and every change raises it. */
  version: number,
  /** The name and the content of the view. */
  definition: { ...json<SavedViewDefinition>(), read: readDefinition },
  ...CREATION,
  updatedAtMs: number,
}
export type SavedViewRecord = RecordOf<typeof SAVED_VIEW>
export type SavedViewsTable = RowOf<typeof SAVED_VIEW>
export const SAVED_VIEW_CODEC = createCodec(SAVED_VIEW)
