/**
 * Colours of series and of annotation types. No two types have the same colour; a person may choose others, which the browser stores.
 */
import { signal } from '@preact/signals'

/** `style.css` has `--series-0` to `--series-23`, because a chart draws at most that many series. */
const SERIES_COLOURS = 24

/** @returns the value of a colour in style.css in the form a canvas takes, for the light or the dark page */
export function readColour(name: string): string {
  return resolveColour(`var(${name})`)
}

/** @param colour in the form a style sheet takes */
export function resolveColour(colour: string): string {
  // A canvas does not understand light-dark(), and a computed colour has it resolved.
  const probe = document.createElement('span')
  probe.style.color = colour
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

/** @returns the colour of the series at an index, in the form a style sheet takes */
export function seriesColour(index: number): string {
  return `var(--series-${index % SERIES_COLOURS})`
}

/** `style.css` has `--type-0` to `--type-11`; any further type gets a computed hue. */
const PALETTE_COLOURS = 12
const KEY = 'type-colours'
/** People expect some colours: red for what went wrong. */
const EXPECTED: readonly [RegExp, number][] = [
  [/incident|outage|alert|alarm|error|fail/, 2],
  [/rollback|revert/, 0],
  [/deploy|release/, 7],
  [/monitor/, 5],
]
/** The golden angle puts the hues of neighbouring numbers as far apart as possible. */
const HUE_STEP = 137.5

const slots = new Map<string, number>()
/** Is incremented when somebody chooses a colour, so that components read the colours again. */
const choices = signal(0)

/** @returns a colour in the form a style sheet takes, for the light and the dark page */
export function colourOf(type: string): string {
  choices.value
  const slot = slots.get(type) ?? assign(type)
  if (slot < PALETTE_COLOURS) return paletteColour(slot)
  const hue = Math.round(slot * HUE_STEP) % 360
  return `light-dark(hsl(${hue} 75% 30%), hsl(${hue} 80% 76%))`
}

/** @returns the style that sets an element's `--type` */
export function styleOf(type: string): Record<string, string> {
  return { '--type': colourOf(type) }
}

export function paletteColour(slot: number): string {
  return `var(--type-${slot})`
}

/** @returns the index of the type's colour in the palette; a larger number stands for a computed hue */
export function slotOf(type: string): number {
  choices.value
  return slots.get(type) ?? assign(type)
}

/** Gives a type a colour of the palette; the type that had this colour gets the former colour of the other. */
export function chooseColour(type: string, slot: number): void {
  const before = slotOf(type)
  const other = [...slots].find(([, taken]) => taken === slot)?.[0]
  if (other !== undefined) slots.set(other, before)
  slots.set(type, slot)
  keep({ ...kept(), [hashOf(type)]: slot, ...(other !== undefined && { [hashOf(other)]: before }) })
  choices.value++
}

/** @returns a number that changes when a colour is chosen, because a canvas is not redrawn by itself */
export function colourChoices(): number {
  return choices.value
}

function assign(type: string): number {
  const chosen = kept()
  const own = chosen[hashOf(type)]
  // A colour that somebody chose is reserved for its type.
  const taken = new Set([...slots.values(), ...(own === undefined ? Object.values(chosen) : [])])
  const expected = EXPECTED.find(([words]) => words.test(type))?.[1] ?? hashOf(type) % PALETTE_COLOURS
  let slot = own ?? expected
  for (let tries = 0; taken.has(slot) && tries < PALETTE_COLOURS; tries++) slot = (expected + tries * 5) % PALETTE_COLOURS
  if (taken.has(slot)) slot = Math.max(PALETTE_COLOURS, ...taken) + 1
  slots.set(type, slot)
  return slot
}

function hashOf(type: string): number {
  let hash = 0
  for (const character of type) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003
  return hash
}

/** The chosen colours, by the hash of the type. */
function kept(): Record<number, number> {
  try {
    const texts = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<number, unknown>
    return Object.fromEntries(Object.entries(texts).filter((entry): entry is [string, number] => Number.isInteger(entry[1])))
  } catch {
    return {}
  }
}

function keep(choice: Record<number, number>): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(choice))
  } catch {
    // A browser that stores nothing forgets the choice when the tab is closed.
  }
}
