/** Requests to the endpoints of saved views. */
import { SAVED_VIEWS_PATH, savedViewPath } from '@deployment-annotations/contract/saved-view'
import type { NewSavedView, SavedChart, SavedView, SavedViewChange } from '@deployment-annotations/contract/schemas/saved-view'
import { request } from './request.ts'

export type { NewSavedView, SavedChart, SavedView }

/** @returns all saved views, the oldest first */
export function listSavedViews(signal: AbortSignal): Promise<SavedView[]> {
  return request<SavedView[]>(SAVED_VIEWS_PATH, { signal })
}

export function getSavedView(id: string, signal: AbortSignal): Promise<SavedView> {
  return request<SavedView>(savedViewPath(id), { signal })
}

export function createSavedView(saved: NewSavedView): Promise<SavedView> {
  return request<SavedView>(SAVED_VIEWS_PATH, { method: 'POST', body: saved })
}

/** @param change with a `version`, it is refused (409) once somebody else has changed the view */
export function changeSavedView(id: string, change: SavedViewChange): Promise<SavedView> {
  return request<SavedView>(savedViewPath(id), { method: 'PUT', body: change })
}

export function deleteSavedView(id: string): Promise<void> {
  return request<void>(savedViewPath(id), { method: 'DELETE' })
}
