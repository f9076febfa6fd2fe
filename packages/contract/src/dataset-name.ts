/**
 * Names of datasets: ASCII letters, digits and `-`, 1 to 128 of them; `Web` and `web` are two datasets. They have a file of their own
 * because the step needs nothing else of datasets, and every byte of its bundle is loaded on every deploy.
 */
import { text } from './schema.ts'

const DATASET_NAME_LENGTH_MIN = 1
export const DATASET_NAME_LENGTH_MAX = 128

/** One character of a name, as a regular expression writes it. */
export const DATASET_NAME_CHARACTER = '[A-Za-z0-9-]'

/** The rule for the characters alone, for schemas: there a wrong length has an error code of its own. */
const DATASET_NAME_CHARACTERS = `^${DATASET_NAME_CHARACTER}*$`

/** The whole rule for a name. */
export const DATASET_NAME_PATTERN = new RegExp(
  `^${DATASET_NAME_CHARACTER}{${DATASET_NAME_LENGTH_MIN},${DATASET_NAME_LENGTH_MAX}}$`,
)

/** The same rule as three, because each has a validation code of its own. */
export const DATASET_NAME = text('', {
  minLength: DATASET_NAME_LENGTH_MIN,
  maxLength: DATASET_NAME_LENGTH_MAX,
  pattern: DATASET_NAME_CHARACTERS,
})

/** A name in an answer: of a dataset that was deleted it stays, for people to read. */
export const ANSWERED_DATASET_NAME = text('', {
  pattern: `^${DATASET_NAME_CHARACTER}{1,${DATASET_NAME_LENGTH_MAX}}(?: \\(deleted\\))?$`,
})

/** @returns what stands in the place of the name of a dataset that was deleted: no dataset can be called so, and none gets its annotations and tokens */
export const deletedName = (name: string): string => `${name} (deleted)`

export const DELETED_NAME_PATTERN = / \(deleted\)$/
