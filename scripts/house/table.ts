/**
 * `npm run house [-- FOLDER]`: the lines of code of each part of this checkout, or of the one in a folder, beside its budget. Exits 1 where
 * a budget is missed, or where a package has none.
 */
import { join } from 'node:path'
import { BUDGETS } from './budgets.ts'
import { codeSizes } from './code-size.ts'

const sizes = codeSizes(process.argv[2] ?? join(import.meta.dirname, '../..'))
const missed: string[] = []
console.log('| package | code lines | budget | words of comments |\n|---|--:|--:|--:|')
for (const part of new Set([...Object.keys(BUDGETS), ...sizes.keys()])) {
  const { code, commentWords } = sizes.get(part) ?? { code: 0, commentWords: 0 }
  const budget = BUDGETS[part]
  console.log(`| ${part} | ${code} | ${budget ?? 'none'} | ${commentWords} |`)
  if (budget === undefined)
    missed.push(`${part} has ${code} lines of code and no budget: give it lines of what it takes code from`)
  else if (code > budget) missed.push(`${part} has ${code} lines of code and may have ${budget}: remove ${code - budget}`)
}
for (const line of missed) console.error(line)
process.exitCode = missed.length > 0 ? 1 : 0
