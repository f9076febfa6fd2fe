/** Requests to the endpoints of saved views. */
import { SAVED_VIEWS_PATH, savedViewPath } from '@deployment-annotations/contract/saved-view'
import type { NewSavedView, SavedChart, SavedView, SavedViewChange } from '@deployment-annotations/contract/schemas/saved-view'
import { createRequests } from './request.ts'

export type { NewSavedView, SavedChart, SavedView }

/** A change with a `version` is refused (409) once somebody else has changed the view. */
export const savedViewRequests = createRequests<SavedView, NewSavedView, SavedViewChange>(SAVED_VIEWS_PATH, savedViewPath)
