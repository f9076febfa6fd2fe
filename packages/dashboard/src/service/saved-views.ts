/** Requests to the endpoints of saved views. */
import {
  type NewSavedView,
  SAVED_VIEW_CALLS,
  type SAVED_VIEWS,
  type SavedChart,
  type SavedView,
} from '@deployment-annotations/contract/saved-view'
import { createCalls, type RequestsOf } from './request.ts'

export type { NewSavedView, SavedChart, SavedView }

export const savedViewRequests = createCalls<RequestsOf<typeof SAVED_VIEW_CALLS, typeof SAVED_VIEWS>>(SAVED_VIEW_CALLS)
