/** Says in words what is wrong with typed names of datasets before they are sent. Pure. */
import { DATASET_NAME_LENGTH_MAX, DATASET_NAME_PATTERN } from '@deployment-annotations/contract/dataset-name'

/** @throws Error that quotes the invalid name */
export function checkDatasetNames(names: readonly string[]): void {
  const wrong = names.find((name) => !DATASET_NAME_PATTERN.test(name))
  if (wrong === undefined) return
  throw new Error(
    wrong.length > DATASET_NAME_LENGTH_MAX
      ? `A dataset's name has at most ${DATASET_NAME_LENGTH_MAX} characters; “${wrong.slice(0, 20)}…” has ${wrong.length}.`
      : `“${wrong}” cannot be the name of a dataset: letters from a to z, digits and - only, for example “${suggest(wrong)}”.`,
  )
}

function suggest(name: string): string {
  const kept = name.replace(/[^A-Za-z0-9-]+/g, '-').replace(/^-+|(?<!-)-+$/g, '')
  return kept === '' ? 'web' : kept
}
