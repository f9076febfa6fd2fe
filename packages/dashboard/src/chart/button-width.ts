/** Measures the width of the buttons of marks in the fonts of this page. */
import { wholeText } from './mark-text.ts'
import type { MarkGroup } from './marks.ts'

/** The font and the space around the text are those of the style sheet. */
const FONT_PX = 12
export const AROUND_PX = 13

let context: CanvasRenderingContext2D | null = null

/** @returns pixels */
export function textWidth(text: string): number {
  if (!context) {
    context = document.createElement('canvas').getContext('2d')
    if (context) context.font = `${FONT_PX}px ${getComputedStyle(document.documentElement).fontFamily}`
  }
  return context?.measureText(text).width ?? 0
}

/** @returns the pixels that a button takes with its whole text */
export function buttonWidth({ marks }: MarkGroup): number {
  return textWidth(wholeText(marks)) + AROUND_PX
}
