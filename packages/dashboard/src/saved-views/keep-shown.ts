/** Changes the address to that of the view that was just saved. */
import type { RefObject } from 'preact'
import { navigate } from '../address/navigation.ts'
import type { SavedView } from '../service/saved-views.ts'

/** @param start the version that the changes of this person start from */
export function keepShown(start: RefObject<SavedView | undefined>, saved: SavedView): void {
  start.current = saved
  navigate({ savedView: saved.id, datasets: saved.datasets }, true)
}
