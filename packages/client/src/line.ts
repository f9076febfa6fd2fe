/**
 * Text from a service on its way into a message.
 * Deliberately not here: what a log takes for a command; the code that writes the log knows.
 */
import { cutText } from '@deployment-annotations/contract/text'

/**
 * @returns one line of printable text of at most `pointsMax` code points: control and format characters (line breaks, terminal
 *   escapes, text direction) become spaces
 */
export function toLine(text: string, pointsMax: number): string {
  return cutText((/^[ -~]*$/.test(text) ? text.replace(/ +/g, ' ') : replaceInvisible(text)).trim(), pointsMax)
}

/** Apart from the texts without any, because to compile it takes half a millisecond of the step's time. */
const replaceInvisible = (text: string) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
