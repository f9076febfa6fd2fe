/**
 * Writes the tables that say again what is declared elsewhere, between `<!-- inputs -->` and `<!-- /inputs -->`: inputs, in
 * their groups, and outputs in README.md from action.yml and in docs/compare.md from that of `compare`, the service's flags in docs/service.md from
 * its command line.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createServeCommand } from '../packages/service/src/commands/flags.ts'
import { type ActionFile, readActionFile } from './runner.ts'

const cell = (text: string) => text.trim().replaceAll('|', '\\|').replace(/\s+/g, ' ')

function describeDefault(value: string | undefined): string {
  if (value === undefined) return ''
  return value.includes('${{') ? 'the runner’s' : `\`${value}\``
}

const code = (text: unknown) => `\`${text}\``
const row = (...cells: readonly string[]) => `| ${cells.join(' | ')} |`

/** The rows of an action's inputs: each comment in its action.yml begins a table with that title. */
function inputRows(action: string, inputs: ActionFile['inputs']): string[] {
  const [, section = ''] = /^inputs:\n([\s\S]*?)^\w/m.exec(readFileSync(join(action, 'action.yml'), 'utf8')) ?? []
  return [...section.matchAll(/^ {2}(?:# (.+)|(\w+):)$/gm)].flatMap(([, title, name = '']) => {
    if (title) return ['', `**${title}**`, '', '| input | meaning | default |', '|---|---|---|']
    return row(code(name), cell(inputs[name]?.description ?? ''), describeDefault(inputs[name]?.default))
  })
}

const tablesOf = (action: string, { inputs, outputs } = readActionFile(action)) => ({
  inputs: inputRows(action, inputs),
  outputs: [
    '| output | meaning |',
    '|---|---|',
    ...Object.entries(outputs).map(([name, { description }]) => row(code(name), cell(description))),
  ],
})

const TABLES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'README.md': tablesOf(''),
  'docs/compare.md': tablesOf('compare'),
  'docs/service.md': {
    flags: [
      '| flag | meaning | default | environment variable |',
      '|---|---|---|---|',
      ...createServeCommand().options.map(({ flags, description, defaultValue, envVar }) =>
        row(
          code(flags),
          cell(description),
          defaultValue === undefined || defaultValue === false ? '' : code(defaultValue),
          envVar === undefined ? '' : code(envVar),
        ),
      ),
    ],
  },
}

for (const [file, tables] of Object.entries(TABLES)) {
  let text = readFileSync(file, 'utf8')
  for (const [name, rows] of Object.entries(tables)) {
    const place = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- /${name} -->)`)
    if (!place.test(text)) throw new Error(`${file} has no place for the table of ${name}`)
    text = text.replace(place, (_, start: string, end: string) => `${start}${rows.join('\n')}\n${end}`)
  }
  writeFileSync(file, text)
}
