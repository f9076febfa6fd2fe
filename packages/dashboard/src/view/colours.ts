/** Colours of types and series: the same text has the same colour everywhere. The values are in style.css. */
const TYPE_COLOURS = 8
/** `--series-0` to `--series-7`, again from the first when there are more series. */
export const SERIES_COLOURS = 8

/** @returns the number of a type's colour: `--type-0` to `--type-7`, and the class `type-0` to `type-7` */
export function colourOf(type: string): number {
  let hash = 0
  for (const character of type) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003
  return hash % TYPE_COLOURS
}

/** @returns the value of a colour of style.css as a canvas takes it, for the light or the dark page that is shown now */
export function readColour(name: string): string {
  // A canvas does not understand light-dark(), and a computed colour has it resolved.
  const probe = document.createElement('span')
  probe.style.color = `var(${name})`
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

export function seriesColour(index: number): string {
  return readColour(`--series-${index % SERIES_COLOURS}`)
}
