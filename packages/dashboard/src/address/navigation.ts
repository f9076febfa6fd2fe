/** The view of now and the way to another: the browser's address and history behind one signal. */
import { signal } from '@preact/signals'
import { DEFAULT_VIEW, formatView, type Page, parseView, type View } from './view.ts'

export const view = signal(parseView(new URL(location.href)))

addEventListener('popstate', () => {
  last.set(view.value.page, view.value)
  view.value = parseView(new URL(location.href))
})

/** The last view of each page, so that going to another page and back loses nothing. */
const last = new Map<Page, View>()

/** @returns the view that a page had when it was left; the default one of a page that was not looked at */
export function lastView(page: Page): View {
  return last.get(page) ?? { ...DEFAULT_VIEW, page, utc: view.value.utc }
}

/** The next person is not shown what was looked at. */
export function forgetViews(): void {
  last.clear()
}

/**
 * Changes the view.
 * @param replaces the step back leads to where the one before leads: for changes that are no step of their own
 */
export function navigate(change: Partial<View>, replaces = false): void {
  last.set(view.value.page, view.value)
  view.value = { ...view.value, ...change }
  const address = formatView(view.value)
  if (address === location.pathname + location.search) return
  if (replaces) history.replaceState(null, '', address)
  else history.pushState(null, '', address)
}
