/**
 * Writes the tables of inputs and outputs in README.md from action.yml, between `<!-- inputs -->` and `<!-- /inputs -->`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { readActionFile } from './runner.ts'

const cell = (text: string) => text.trim().replaceAll('|', '\\|').replace(/\s+/g, ' ')

function describeDefault(value: string | undefined): string {
  if (value === undefined) return ''
  return value.startsWith('$') ? 'the runner’s' : `\`${value}\``
}

const { inputs, outputs } = readActionFile()
const tables = {
  inputs: [
    '| input | meaning | default |',
    '|---|---|---|',
    ...Object.entries(inputs).map(
      ([name, input]) => `| \`${name}\` | ${cell(input.description)} | ${describeDefault(input.default)} |`,
    ),
  ],
  outputs: [
    '| output | meaning |',
    '|---|---|',
    ...Object.entries(outputs).map(([name, { description }]) => `| \`${name}\` | ${cell(description)} |`),
  ],
}

let readme = readFileSync('README.md', 'utf8')
for (const [name, rows] of Object.entries(tables)) {
  const place = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- /${name} -->)`)
  if (!place.test(readme)) throw new Error(`README.md has no place for the table of ${name}`)
  readme = readme.replace(place, (_, begin: string, end: string) => `${begin}${rows.join('\n')}\n${end}`)
}
writeFileSync('README.md', readme)
