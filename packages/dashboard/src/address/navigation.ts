/** The current view as a signal, and the changes of it, which are kept in the browser's address and history. */
import { signal } from '@preact/signals'
import { DEFAULT_VIEW, formatView, type Place, parseView, placeOf, type View } from './view.ts'

export const view = signal(parseView(new URL(location.href)))

addEventListener('popstate', () => {
  last.set(placeOf(view.value), view.value)
  view.value = parseView(new URL(location.href))
})

/** The last view of each place, so that going to another page and back loses nothing. */
const last = new Map<Place, View>()

/** @returns the view that a place had when it was left; before that its default, where exploring begins with what is on the home page */
export function lastView(place: Place): View {
  const { zone } = view.value
  if (place === 'home') return { ...(last.get(place) ?? DEFAULT_VIEW), zone }
  if (place !== 'explore') return { ...(last.get(place) ?? { ...DEFAULT_VIEW, page: place }), zone }
  const home = placeOf(view.value) === 'home' ? view.value : lastView('home')
  return { ...(last.get(place) ?? { ...home, annotations: [], events: true }), zone }
}

/** Forgets the views of all pages, so that the next person to sign in does not see them. */
export function forgetViews(): void {
  last.clear()
}

/**
 * Changes the view.
 * @param replaces whether the current entry of the browser's history is replaced, for a change that is no step of its own
 */
export function navigate(change: Partial<View>, replaces = false): void {
  last.set(placeOf(view.value), view.value)
  view.value = { ...view.value, ...change }
  const address = formatView(view.value)
  if (address === location.pathname + location.search) return
  if (replaces) history.replaceState(null, '', address)
  else history.pushState(null, '', address)
}
