/**
 * Saved views as records. Changes are part of a transaction. Deliberately not here: the rules for views.
 */
import { recordTable } from '../database/record-table.ts'
import { SAVED_VIEW_CODEC } from '../schema/saved.ts'

export type { SavedViewDefinition, SavedViewRecord } from '../schema/saved.ts'

const SAVED_VIEWS = recordTable('saved_views', SAVED_VIEW_CODEC)
export const { pages: listSavedViewPages, find: findSavedView, lock: lockSavedView } = SAVED_VIEWS
export const { insert: insertSavedView, update: updateSavedView, remove: deleteSavedView } = SAVED_VIEWS
