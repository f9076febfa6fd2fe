/**
 * What follows a mark that was not made, in an outage or where there is no token: its id is empty, and nobody is to blame for it.
 */
import { expect, test } from '@jest/globals'
import { parse } from 'yaml'
import { annotate } from '../../packages/cli/__tests__/run-annotate.ts'
import { runAction, runCompare } from '../support/run-action.ts'
import { startScriptedService } from '../support/scripted-service.ts'
import { published } from '../workflows/recipes.ts'

const AWAY = 'http://127.0.0.1:1'
const TOKEN = 'xaat-0123456789abcdef'
const NO_MARK = 'There is no annotation to compare around'

interface ExampleStep {
  page: string
  uses: string
  with: Record<string, string>
}

/** Every step of ours in the examples of the documentation, wherever it stands in them. */
function findSteps(page: string, node: unknown): ExampleStep[] {
  if (typeof node !== 'object' || node === null) return []
  const { uses, with: inputs } = node as Partial<ExampleStep>
  if (uses?.startsWith('OWNER/deployment-annotations') && inputs) return [{ page, uses, with: inputs }]
  return Object.values(node).flatMap((member) => findSteps(page, member))
}

const steps = published.flatMap(({ page, text }) => findSteps(page, parse(text)))
const isFromAnother = (text: unknown) => /\$\{\{ *(?!secrets)/.test(String(text))
const judging = steps.filter(({ uses, with: { id, time } }) => uses.includes('/compare@') && isFromAnother(id ?? time))
const closing = steps.filter(({ uses, with: { id, endTime } }) => !uses.includes('/compare@') && isFromAnother(id) && endTime)

/** What a runner makes of the inputs if nothing was marked: only secrets are there. */
function inputsWithoutMark({ with: inputs }: ExampleStep): Record<string, string> {
  const evaluate = (text: string) => text.replace(/\$\{\{ *secrets\.\w+ *\}\}/g, TOKEN).replace(/\$\{\{.*?\}\}/g, '')
  return Object.fromEntries(Object.entries(inputs).map(([name, text]) => [name, evaluate(String(text))]))
}

test('the job that judges is green after an outage at the mark, and says that there is none', async () => {
  const marked = await runAction({ token: TOKEN, datasets: 'web', baseUrl: AWAY, timeoutSeconds: '1' })
  expect(marked).toMatchObject({ exitCode: 0, outputs: { outcome: 'unreachable', id: '' } })
  const id = marked.outputs.id ?? ''
  for (const inputs of [{ failOn: 'worse' }, { failOn: 'worse', token: '' }, { queries: "n: ['web'] | count" }]) {
    const judged = await runCompare({ token: TOKEN, id, baseUrl: AWAY, ...inputs })
    expect(judged).toMatchObject({ exitCode: 0, errors: [], warnings: [], outputs: { verdict: '', comparison: '' }, summary: '' })
    expect(judged.stdout).toContain(`::notice::${NO_MARK}`)
  }
})

test('where an outage is to fail the job that judges, a mark that was not made does', async () => {
  const judged = await runCompare({ token: TOKEN, id: '', failOn: 'worse', onOutage: 'fail' })
  expect(judged).toMatchObject({ exitCode: 1, outputs: { verdict: '', comparison: '' } })
  expect(judged.errors).toEqual([expect.stringMatching(new RegExp(`^${NO_MARK}.*"onOutage: warn" lets it go on`))])
})

test('a job that closes a span which was not opened is green, and makes no mark', async () => {
  await using service = await startScriptedService()
  const inputs = { token: TOKEN, id: '', endTime: 'now', description: 'Deployed', baseUrl: service.url }
  for (const more of [{}, { datasets: 'web', type: 'release' }, { token: '' }]) {
    const closed = await runAction({ ...inputs, ...more })
    const outputs = { outcome: 'skipped', id: '', annotation: 'null', chart: '' }
    expect(closed).toMatchObject({ exitCode: 0, errors: [], warnings: [], outputs, state: {}, summary: '' })
    expect(closed.stdout).toContain('::notice::There is no span to close: "id" is empty')
  }
  expect(service.requests).toEqual([])
})

test('every example that judges or closes what another step has made is green where that made nothing', async () => {
  expect(judging.map(({ page }) => page)).toEqual(['README.md', 'docs/compare.md', 'docs/compare.md'])
  expect(closing.map(({ page }) => page)).toEqual(['README.md'])
  for (const step of judging) {
    const judged = await runCompare({ baseUrl: AWAY, ...inputsWithoutMark(step) })
    expect(judged).toMatchObject({ exitCode: 0, errors: [], warnings: [], outputs: { verdict: '' } })
    expect(judged.stdout).toContain(NO_MARK)
  }
  for (const step of closing) expect(await runAction(inputsWithoutMark(step))).toMatchObject({ exitCode: 0, errors: [] })
})

test.each([
  [['compare', '', '--fail-on', 'worse'], NO_MARK],
  [['compare', '', '--queries', "n: ['web'] | count"], NO_MARK],
  [['verdict', '', '--fail-on', 'worse'], NO_MARK],
  [['close', ''], 'No span was opened: nothing to close.'],
  [['change', '', '--title', 'x'], 'No annotation was made: nothing to change.'],
])('the command %j has nothing to do, and ends with 0', async (args, line) => {
  const env = { ANNOTATE_TOKEN: '' }
  expect(await annotate(AWAY, args, { env })).toEqual({ exitCode: 0, stdout: '', stderr: expect.stringContaining(line) })
  expect(await annotate(AWAY, [...args, '--json'], { env })).toMatchObject({ exitCode: 0, stdout: 'null\n' })
})

test.each(['compare', 'verdict'])('the command %s fails for an empty id where an outage is to fail it', async (name) => {
  const run = await annotate(AWAY, [name, '', '--on-outage', 'fail'])
  expect(run).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(new RegExp(`^error: ${NO_MARK}`)) })
})
