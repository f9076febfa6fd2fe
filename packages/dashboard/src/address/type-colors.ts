/**
 * Colors of series and of annotation types. The color of a type follows from its name alone, so that it is the same on every page, in
 * every range and for everybody. A person may choose another one for this browser, which stores it.
 */
import { signal } from '@preact/signals'

/** `style.css` has `--series-0` to `--series-23`, because a chart draws at most that many series. */
const SERIES_COLORS = 24

/** @returns the value of a color in style.css in the form a canvas takes, for the light or the dark page */
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

/** The names of the colors that people choose from: `style.css` has `--type-0` to `--type-11`. */
export const PALETTE: readonly string[] = 'amber green red gray cyan magenta olive blue violet pink teal brown'.split(' ')
const KEY = 'type-colors'

/** The slots of what people often mark. There is no red: that is for what is worse. */
const EXPECTED: readonly [RegExp, number][] = [
  [/incident|outage|alert|alarm|error|fail/, 5],
  [/rollback|revert/, 0],
  [/(?:stag|test|dev|preview|canary).*(?:deploy|release)/, 8],
  [/deploy|release/, 7],
  [/monitor/, 4],
  [/flag|experiment|toggle/, 1],
  [/config|setting/, 10],
  [/scal/, 6],
  [/mainten|migration|backup/, 11],
]
const OTHERS = [10, 6, 3, 11, 1] as const

/** Is incremented when somebody chooses a color, so that components read the colors again. */
const choices = signal(0)
let chosen = kept()

/** @returns a color in the form a style sheet takes, for the light and the dark page */
export function colorOf(type: string): string {
  return paletteColor(slotOf(type) ?? ownSlotOf(type))
}

function ownSlotOf(type: string): number {
  return EXPECTED.find(([words]) => words.test(type))?.[1] ?? OTHERS[hashOf(type) % OTHERS.length] ?? 0
}

/** @returns the style that sets an element's `--type` */
export function styleOf(type: string): Record<string, string> {
  return { '--type': colorOf(type) }
}

export function paletteColor(slot: number): string {
  return `var(--type-${slot})`
}

/** @returns the index of the color in the palette that was chosen for the type in this browser; `undefined` for its own color */
export function slotOf(type: string): number | undefined {
  choices.value
  return chosen[hashOf(type)]
}

/** @param slot gives the type its own color back if it is absent */
export function chooseColor(type: string, slot?: number): void {
  const { [hashOf(type)]: _, ...others } = chosen
  chosen = slot === undefined ? others : { ...others, [hashOf(type)]: slot }
  keep(chosen)
  choices.value++
}

/** @returns a number that changes when a color is chosen, because a canvas is not redrawn by itself */
export function colorChoices(): number {
  return choices.value
}

function hashOf(type: string): number {
  let hash = 0
  for (const character of type) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003
  return hash
}

/** The chosen colors, by the hash of the type. */
function kept(): Record<number, number> {
  try {
    const texts = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<number, unknown>
    return Object.fromEntries(Object.entries(texts).filter((entry): entry is [string, number] => isSlot(entry[1])))
  } catch {
    return {}
  }
}

function isSlot(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) < PALETTE.length
}

function keep(choice: Record<number, number>): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(choice))
  } catch {
    // A browser that stores nothing forgets the choice when the tab is closed.
  }
}
