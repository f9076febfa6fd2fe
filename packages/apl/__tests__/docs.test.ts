/** `docs/apl.md` lists what there is: its tables are made from ours. To write them again: `UPDATE_DOCS=1 npm test -- packages/apl/__tests__/docs`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { AGGREGATES } from '../src/functions/aggregates.ts'
import { signature } from '../src/functions/definition.ts'
import { FUNCTIONS } from '../src/functions/table.ts'
import { OPERATORS } from '../src/operators/table.ts'

const FILE = new URL('../../../docs/apl.md', import.meta.url)

const inCell = (text: string) => text.replaceAll('|', '\\|')
const SECTIONS: Record<string, string> = {
  operators: [
    '| operator | takes |',
    '|---|---|',
    ...Object.values(OPERATORS).map(
      ({ keywords, syntax }) =>
        `| ${keywords.map((word) => `\`${word}\``).join(' ')} | ${syntax === '' ? '' : `\`${inCell(syntax)}\``} |`,
    ),
  ].join('\n'),
  functions: Object.entries(FUNCTIONS)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { parameters }]) => `\`${signature(name, parameters)}\``)
    .join(' · '),
  aggregations: Object.entries(AGGREGATES)
    .map(([name, { parameters }]) => `\`${signature(name, parameters)}\``)
    .join(' · '),
}

test.each(Object.keys(SECTIONS))('the list of %s is complete', (section) => {
  const [start, end] = [`<!-- ${section} -->\n`, `\n<!-- /${section} -->`]
  const text = readFileSync(FILE, 'utf8')
  const [from, to] = [text.indexOf(start) + start.length, text.indexOf(end)]
  expect(to).toBeGreaterThan(from)
  if (process.env.UPDATE_DOCS === '1') writeFileSync(FILE, text.slice(0, from) + SECTIONS[section] + text.slice(to))
  else expect(text.slice(from, to)).toBe(SECTIONS[section])
})
