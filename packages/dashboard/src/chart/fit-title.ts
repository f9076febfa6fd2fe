/** What of a title fits on the button of a mark. Pure. */

/** Of a letter of the button's font, on average; wide ones are cut by the style sheet. */
const LETTER_PX = 6.8
const PADDING_PX = 14
/** Fewer letters say nothing. */
const LETTERS_MIN = 4

/**
 * @param room in pixels
 * @returns the title; where it does not fit, its last word that has a digit in it, which is the version; else its start with dots;
 *   empty where nothing fits
 */
export function fitTitle(title: string, room: number): string {
  const letters = Math.floor((room - PADDING_PX) / LETTER_PX)
  if (title.length <= letters) return title
  const version = title.split(/\s+/).findLast((word) => /\d/.test(word))
  if (version !== undefined && version.length > 1 && version.length <= letters) return version
  return letters >= LETTERS_MIN ? `${title.slice(0, letters - 1).trimEnd()}…` : ''
}
