/** Colours of series, and of the page as a canvas takes them. The values are in style.css. */

/** `--series-0` to `--series-23`: as many as a chart draws series. */
const SERIES_COLOURS = 24

/** @returns the value of a colour of style.css as a canvas takes it, for the light or the dark page that is shown now */
export function readColour(name: string): string {
  return resolveColour(`var(${name})`)
}

/** @param colour as a style sheet takes it */
export function resolveColour(colour: string): string {
  // A canvas does not understand light-dark(), and a computed colour has it resolved.
  const probe = document.createElement('span')
  probe.style.color = colour
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

/** @returns the colour of a series, by its place, as a style sheet takes it */
export function seriesColour(index: number): string {
  return `var(--series-${index % SERIES_COLOURS})`
}
