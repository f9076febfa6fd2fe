/**
 * Writes the tables that say again what is declared elsewhere, between `<!-- inputs -->` and `<!-- /inputs -->`: inputs, in
 * their groups, and outputs in README.md from action.yml and in docs/compare.md from that of `compare`, the service's flags in docs/service.md from
 * its command line, and its operations in docs/api.md from the contract.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Operation, TAGS } from '../packages/contract/src/operation.ts'
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

const CONTRACT = join(import.meta.dirname, '../packages/contract/src')
const modules = await Promise.all(readdirSync(CONTRACT).map((file): Promise<object> => import(join(CONTRACT, file))))

function operationsIn(value: unknown): Operation[] {
  if (typeof value !== 'object' || value === null) return []
  return 'operationId' in value && 'answers' in value ? [value as Operation] : Object.values(value).flatMap(operationsIn)
}

/** Platforms know the operations that they call: docs/deployments.md has those. */
const operations = modules.flatMap((module) => operationsIn({ ...module })).filter(({ access }) => access !== 'signature')

function operationRow({ call, summary, description = '', access, answers, errors }: Operation): string {
  const ownErrors = Object.entries(errors).filter(([status, text]) => status !== '404' && text !== '')
  const replies = [...Object.entries(answers), ...ownErrors].map(([status, text]) => `${status}: ${text}`)
  const needs = access.includes('|') ? code(access) : access
  return row(code(call), cell(`${summary}. ${description}`), cell(needs), cell(replies.join(' ')))
}

const operationTables = Object.entries(TAGS).flatMap(([tag, about]) => [
  '',
  `## ${tag.charAt(0).toUpperCase()}${tag.slice(1)}`,
  '',
  about,
  '',
  '| request | what it does | needs | answer |',
  '|---|---|---|---|',
  ...operations.filter(({ tags }) => tags.includes(tag)).map(operationRow),
])

const TABLES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'README.md': tablesOf(''),
  'docs/api.md': { operations: [...operationTables, ''] },
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
