/**
 * The colours of types of annotations: no two types have the same, and a person may choose others, which are kept in the browser.
 */
import { signal } from '@preact/signals'

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

/** `--type-0` to `--type-11`; types beyond them get a hue of their own. */
const PALETTE_COLOURS = 12
const KEY = 'type-colours'
/** What people expect of some words: red is for what went wrong. */
const EXPECTED: readonly [RegExp, number][] = [
  [/incident|outage|alert|alarm|error|fail/, 2],
  [/rollback|revert/, 0],
  [/deploy|release/, 7],
  [/monitor/, 5],
]
/** Neighbouring numbers are as far apart as hues can be: the golden angle. */
const HUE_STEP = 137.5

const slots = new Map<string, number>()
/** Grows when somebody chose, so that whoever read a colour reads it again. */
const choices = signal(0)

/** @returns a colour as a style sheet takes it, for the light and the dark page */
export function colourOf(type: string): string {
  choices.value
  const slot = slots.get(type) ?? assign(type)
  if (slot < PALETTE_COLOURS) return paletteColour(slot)
  const hue = Math.round(slot * HUE_STEP) % 360
  return `light-dark(hsl(${hue} 75% 30%), hsl(${hue} 80% 76%))`
}

/** @returns what gives an element `--type` */
export function styleOf(type: string): Record<string, string> {
  return { '--type': colourOf(type) }
}

export function paletteColour(slot: number): string {
  return `var(--type-${slot})`
}

/** @returns the number of the palette's colour that a type has; a larger one for a hue of its own */
export function slotOf(type: string): number {
  choices.value
  return slots.get(type) ?? assign(type)
}

/** Gives a type a colour of the palette; the type that had it gets the one that this type had. */
export function chooseColour(type: string, slot: number): void {
  const before = slotOf(type)
  const other = [...slots].find(([, taken]) => taken === slot)?.[0]
  if (other !== undefined) slots.set(other, before)
  slots.set(type, slot)
  keep({ ...kept(), [hashOf(type)]: slot, ...(other !== undefined && { [hashOf(other)]: before }) })
  choices.value++
}

/** @returns a number that changes when a colour was chosen: a canvas does not follow by itself */
export function colourChoices(): number {
  return choices.value
}

function assign(type: string): number {
  const chosen = kept()
  const own = chosen[hashOf(type)]
  // What somebody chose for a type waits for it.
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

/** What was chosen, by the hash of the type. */
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
    // A browser that keeps nothing forgets the choice with the tab.
  }
}
