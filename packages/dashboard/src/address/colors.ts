/** Colors of the style sheet, for elements and for a canvas. */

/** `tokens.css` has `--series-0` to `--series-23`, because a chart draws at most that many series. */
const SERIES_COLORS = 24

/** @returns the value of a color in tokens.css in the form a canvas takes, for the light or the dark page */
export function readColor(name: string): string {
  return resolveColor(`var(${name})`)
}

/** @param declared in the form a style sheet takes */
export function resolveColor(declared: string): string {
  // A canvas does not understand light-dark(), and a computed color has it resolved.
  const probe = document.createElement('span')
  probe.style.color = declared
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

/** @returns the color of the series at an index, in the form a style sheet takes */
export function seriesColor(index: number): string {
  return `var(--series-${index % SERIES_COLORS})`
}
