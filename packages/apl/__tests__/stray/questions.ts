/** The questions of `questions.apl`, one in a line. Deliberately not here: the events; see `../stray.test.ts`. */
import { readFileSync } from 'node:fs'

export const QUERIES: readonly string[] = readFileSync(new URL('questions.apl', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('//'))
