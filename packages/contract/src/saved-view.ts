/**
 * Saved views on the wire: what a page of charts shows, under a name. Specific to this service. Their schemas are in
 * schemas/saved-view.ts, which this file does not load.
 */
import type { Static } from 'typebox'
import { toSegment } from './path.ts'
import type { NewSavedViewSchema, SavedViewChangeSchema, SavedViewSchema } from './schemas/saved-view.ts'

export * from './rules/saved-view.ts'

export const SAVED_VIEWS_PATH = '/v2/saved-views'

/** @returns the path of one saved view, its id escaped */
export function savedViewPath(id: string): string {
  return `${SAVED_VIEWS_PATH}/${toSegment(id)}`
}

/** A query or datasets, a range of time, and what is hidden, under a name. */
export type SavedView = Static<typeof SavedViewSchema>
/** One of the charts of a view that has several. */
export type SavedChart = SavedView['charts'][number]
/** What a create sends. */
export type NewSavedView = Static<typeof NewSavedViewSchema>
/** The members to change; the others keep their values. */
export type SavedViewChange = Static<typeof SavedViewChangeSchema>
