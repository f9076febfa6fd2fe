/** Names of datasets as forms hold them. Pure. */

/** @param text names separated by commas, with optional spaces */
export function splitNames(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}
