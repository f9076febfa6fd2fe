/** JSON as people edit it in a form. Pure. */

export function writeJson(value: unknown): string {
  return JSON.stringify(value, null, 2)
}

/** @param what names the text in the error @throws Error that says where the text is no JSON */
export function readJson(what: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`The ${what} is not JSON: ${error instanceof Error ? error.message : error}`)
  }
}
