/**
 * What a dataset may be called (section 8 of the contract): ASCII letters, digits and `-`, 1 to 128 of them; `Web` and `web` are two.
 * Deliberately not here: which name says what is wrong with a list of names, and how a query quotes a name.
 */

export const DATASET_NAME_LENGTH_MIN = 1
export const DATASET_NAME_LENGTH_MAX = 128

/** One character of a name, as a regular expression writes it. */
export const DATASET_NAME_CHARACTER = '[A-Za-z0-9-]'

/** Only the characters: for a schema, where a length that is wrong has an error code of its own. */
export const DATASET_NAME_CHARACTERS = `^${DATASET_NAME_CHARACTER}*$`

/** The whole rule. */
export const DATASET_NAME_PATTERN = new RegExp(
  `^${DATASET_NAME_CHARACTER}{${DATASET_NAME_LENGTH_MIN},${DATASET_NAME_LENGTH_MAX}}$`,
)
