/** Inputs of the step `compare` that cannot be used, and its action.yml. */
import { expect, test } from '@jest/globals'
import { readActionFile } from '../../scripts/runner.ts'
import { COMPARE_INPUT_DEFAULTS } from '../../src/comparison/compare-inputs.ts'
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

test.each([
  [{ time: '', endTime: 'now' }, 'input "id" is required, or the time of the event to compare around'],
  [{ id: 'ann_1' }, 'input "id" is given and the time of the event too'],
  [{ time: '', id: 'a b' }, 'input "id" is "a b": an id looks like ann_'],
  [{ time: 'yesterday' }, 'input "time" is "yesterday": it must be'],
  [{ endTime: 'job-end' }, 'input "endTime" is "job-end": it must be'],
  [{ queries: '' }, 'input "queries": there is no query. Write a line "name: query" for each'],
  [{ queries: 'errors:' }, 'input "queries": "errors" has no query after its colon'],
  [{ queries: "a: ['x']\na: ['y']" }, 'two queries are called "a"'],
  [{ queries: "a (up is bad): ['x']" }, '"a" says "(up is bad)": only higher-is-worse or lower-is-worse can stand there'],
  [
    { queries: Array.from({ length: 11 }, (_, at) => `q${at}: ['x'] | count`).join('\n') },
    'there are 11 queries, at most 10 are compared',
  ],
  [{ after: '10' }, 'input "after" is "10": it must be a length of time from 1m to 7d, such as 10m or 1h30m'],
  [{ wait: '7h' }, 'input "wait" is "7h": it must be a length of time from 0s to 6h'],
  [{ seasons: 'yesterday' }, 'input "seasons" is "yesterday"'],
  [{ confidence: '20%' }, 'input "confidence" is "20%": it must be a percentage from 80% to 99.9%'],
  [{ minChange: '-1' }, 'input "minChange" is "-1"'],
  [{ direction: 'up' }, 'input "direction" is "up": it must be higher-is-worse or lower-is-worse'],
  [{ failOn: 'bad' }, 'input "failOn" is "bad": it must be gone or worse or lower or higher or better or inconclusive or same'],
  [{ token: '' }, 'input "token"'],
  [{ against: "['x']" }, 'input "against" is called "baseline" now; rename it'],
  [{ window: '5m', season: 'none' }, 'input "window" is called "after" now; rename it\ninput "season" is called "seasons" now'],
  [{ tolerance: '5%' }, 'input "tolerance" is called "minChange" now; rename it'],
  [{ deployment: '42' }, 'input "deployment" is called "deploymentId" now; rename it'],
])('%j fails the job before anything is sent', async (inputs, message) => {
  const run = await runCompare({ ...basics, baseUrl: 'http://127.0.0.1:1', ...inputs })
  expect(run).toMatchObject({ exitCode: 1, outputs: {} })
  expect(run.errors).toEqual([expect.stringContaining(message)])
})

test('all problems are told at once', async () => {
  const run = await runCompare({ ...basics, after: 'x', wait: 'y', failOn: 'z' })
  expect(run.errors[0]?.split('\n')).toHaveLength(3)
})
