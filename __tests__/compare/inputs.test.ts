/** Inputs of the step `compare` that cannot be used, and its action.yml. */
import { expect, test } from '@jest/globals'
import { readActionFile } from '../../scripts/runner.ts'
import { COMPARE_INPUT_DEFAULTS } from '../../src/comparison/compare-inputs.ts'
import { readYaml } from '../support/read-yaml.ts'
import { runCompare } from '../support/run-action.ts'

const basics = { token: 'xaat-1', time: '2026-01-31T12:00:00Z', queries: "n: ['web'] | summarize count() by bin(_time, 1m)" }
const action = readActionFile('compare')

test('compare/action.yml declares just the inputs that the step reads, with its defaults', () => {
  const declared = Object.entries(action.inputs).map(([name, input]) => [name, input.default ?? ''])
  expect(Object.fromEntries(declared)).toEqual(COMPARE_INPUT_DEFAULTS)
})

test('both steps run on the same Node, and are described in full sentences', () => {
  expect(action.runs.using).toBe(readActionFile().runs.using)
  for (const { description } of [...Object.values(action.inputs), ...Object.values(action.outputs)])
    expect(description).toMatch(/^[A-Z`].*\.$/s)
})

const ELEVEN = Array.from({ length: 11 }, (_, at) => `q${at}: ['x'] | count`).join('\n')

test.each<[inputs: Record<string, string>, message: string]>([
  ...readYaml<[Record<string, string>, string][]>(import.meta.url, 'refused-inputs.yaml'),
  [{ queries: ELEVEN }, 'there are 11 queries, at most 10 are compared'],
])('%j fails the job before anything is sent', async (inputs, message) => {
  const run = await runCompare({ ...basics, baseUrl: 'http://127.0.0.1:1', ...inputs })
  expect(run).toMatchObject({ exitCode: 1, outputs: {} })
  expect(run.errors).toEqual([expect.stringContaining(message)])
})

test('all problems are told at once', async () => {
  const run = await runCompare({ ...basics, after: 'x', wait: 'y', failOn: 'z' })
  expect(run.errors[0]?.split('\n')).toHaveLength(3)
})
