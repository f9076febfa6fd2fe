/**
 * Saved views: what a page of charts shows, under a name. Specific to our service.
 */
import { SAVED_VIEWS_PATH, savedViewPath } from '@deployment-annotations/contract/saved-view'
import type { NewSavedView, SavedView, SavedViewChange } from '@deployment-annotations/contract/schemas/saved-view'
import type { Connection } from './connection.ts'
import { createResourceClient, type ResourceClient } from './resources.ts'

export type SavedViewsClient = ResourceClient<SavedView, NewSavedView, SavedViewChange>

export function createSavedViewsClient(connection: Connection): SavedViewsClient {
  return createResourceClient(connection, SAVED_VIEWS_PATH, savedViewPath)
}
