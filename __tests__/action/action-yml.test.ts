import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { readActionFile } from '../../scripts/runner.ts'
import { INPUT_DEFAULTS } from '../../src/action/inputs.ts'

const action = readActionFile()

test('action.yml declares just the inputs that the step reads, with its defaults', () => {
  const declared = Object.entries(action.inputs).map(([name, input]) => [name, input.default?.replace(/\$\{\{.*\}\}/, '') ?? ''])
  expect(Object.fromEntries(declared)).toEqual(INPUT_DEFAULTS)
})

test.each([
  ['README.md', 'inputs', 'action.yml'],
  ['README.md', 'outputs', 'action.yml'],
  ['docs/compare.md', 'inputs', 'compare/action.yml'],
  ['docs/compare.md', 'outputs', 'compare/action.yml'],
])('%s lists the %s of %s, in the groups that comments begin there', (page, part, file) => {
  const table = readFileSync(page, 'utf8').split(new RegExp(`<!-- /?${part} -->`))[1] ?? ''
  const declared =
    readFileSync(file, 'utf8')
      .split(new RegExp(`^${part}:\\n`, 'm'))[1]
      ?.split(/^\w/m)[0] ?? ''
  const listed = [...table.matchAll(/^(?:\*\*(.+)\*\*$|\| `(\w+)` \|)/gm)].map(([, group, name]) => group ?? name)
  expect(listed).toEqual([...declared.matchAll(/^ {2}(?:# (.+)|(\w+):)/gm)].map(([, group, name]) => group ?? name))
  expect(listed.length).toBeGreaterThanOrEqual(2)
})

test('the step runs on the Node that the devDependencies install, and that .node-version names', () => {
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(action.runs.using).toBe(`node${/\d+/.exec(devDependencies.node)?.[0]}`)
  expect(action.runs.using).toBe(`node${readFileSync('.node-version', 'utf8').trim()}`)
})

test('only defaults have expressions: runners refuse to load an action with one anywhere else', () => {
  const { inputs, ...rest } = action
  const texts = [JSON.stringify(rest), ...Object.values(inputs).map(({ description }) => description)]
  expect(texts.filter((text) => text.includes('${{'))).toEqual([])
})

test('inputs and outputs are described in full sentences', () => {
  for (const { description } of [...Object.values(action.inputs), ...Object.values(action.outputs)])
    expect(description).toMatch(/^[A-Z`].*\.$/s)
})
