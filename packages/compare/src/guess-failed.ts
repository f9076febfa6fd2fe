/** What the page offers where no field of a dataset says what failed (signs.ts). Who compares does not load it. */
import { type KnownField, quoteField } from './signs.ts'

/** @returns the expression of a virtual field that may say what failed, to be corrected; '' if no field is likely */
export function guessFailed(fields: readonly KnownField[]): string {
  const likely = fields.find(({ name }) => /status|result|outcome|state|err|fail|code/i.test(name))
  if (!likely) return ''
  return `${quoteField(likely.name)} ${/string/.test(likely.type) ? "== 'failed'" : '>= 500'}`
}
