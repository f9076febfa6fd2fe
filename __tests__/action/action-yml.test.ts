import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { readActionFile } from '../../scripts/runner.ts'
import { INPUT_DEFAULTS } from '../../src/action/inputs.ts'

const action = readActionFile()
const readme = readFileSync('README.md', 'utf8')

test('action.yml declares just the inputs that the step reads, with its defaults', () => {
  const declared = Object.entries(action.inputs).map(([name, input]) => [name, input.default?.replace(/\$\{\{.*\}\}/, '') ?? ''])
  expect(Object.fromEntries(declared)).toEqual(INPUT_DEFAULTS)
})

test('the README lists just the inputs and outputs of action.yml', () => {
  const listed = (heading: string) => {
    const section = readme.split(`### ${heading}\n`)[1]?.split('\n#')[0] ?? ''
    return [...section.matchAll(/^\| `(\w+)` \|/gm)].map((match) => match[1])
  }
  expect(listed('Inputs')).toEqual(Object.keys(action.inputs))
  expect(listed('Outputs')).toEqual(Object.keys(action.outputs))
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
