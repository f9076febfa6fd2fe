import { expect, test } from '@jest/globals'
import { INPUT_DEFAULTS } from '../../src/action/inputs.ts'
import { sharedByTests } from '../support/for-tests.ts'
import { readYaml } from '../support/read-yaml.ts'
import { type ActionRun, JOB_URL, runAction } from '../support/run-action.ts'
import { startScriptedService } from '../support/scripted-service.ts'

const service = sharedByTests(startScriptedService, (one) => one.close())

const TOKEN = 'xaat-0123456789abcdef'
const required = () => ({ token: TOKEN, datasets: 'web', type: 'deploy', baseUrl: service.url })

/** Runs the step with the required inputs and these. @returns the run and the body it posted, if any */
async function mark(inputs: Record<string, string>): Promise<ActionRun & { sent: Record<string, unknown> | undefined }> {
  const before = service.requests.length
  const run = await runAction({ ...required(), ...inputs })
  const posted = service.requests[before]
  return { ...run, sent: posted && JSON.parse(posted.body) }
}

test('posts one annotation with the defaults, and returns its id', async () => {
  const before = service.requests.length
  const startedAt = Date.now()
  const run = await runAction(required())
  expect(run).toMatchObject({ exitCode: 0, errors: [], warnings: [], stderr: '' })
  expect(service.requests.slice(before)).toMatchObject([{ method: 'POST', path: '/v2/annotations' }])
  const sent = JSON.parse(service.requests.at(-1)?.body ?? '')
  expect(sent).toEqual({ datasets: ['web'], type: 'deploy', url: JOB_URL, time: expect.any(String) })
  expect(Date.parse(sent.time)).toBeGreaterThanOrEqual(startedAt)
  expect(Date.parse(sent.time)).toBeLessThanOrEqual(Date.now())
  expect(run.outputs).toMatchObject({ id: service.stored.at(-1)?.id, outcome: 'created' })
  expect(JSON.parse(run.outputs.annotation ?? '')).toEqual(service.stored.at(-1))
})

test('sends the token as a bearer, and says who is calling', async () => {
  await mark({})
  expect(service.requests.at(-1)?.headers).toMatchObject({
    authorization: `Bearer ${TOKEN}`,
    'content-type': 'application/json',
    'user-agent': expect.stringMatching(/^deployment-annotations\/\d/),
    'idempotency-key': expect.stringMatching(/^[0-9a-f]{32}$/),
  })
})

test.each([
  ['web, api', ['web', 'api']],
  ['web,,api,', ['web', 'api']],
  ['web\napi\r\njobs', ['web', 'api', 'jobs']],
  ['web,api,web', ['web', 'api']],
  [' web ', ['web']],
  ['A'.repeat(128), ['A'.repeat(128)]],
])('datasets %j are %j', async (datasets, expected) => {
  expect((await mark({ datasets })).sent).toMatchObject({ datasets: expected })
})

const TIMES = readYaml<[time: string, expected: string][]>(import.meta.url, 'sent-times.yaml')

test.each(TIMES)('time %s is sent as %s', async (time, expected) => {
  expect((await mark({ time })).sent).toMatchObject({ time: expected })
})

test('time and endTime "now" are one instant', async () => {
  const { sent } = await mark({ time: 'now', endTime: 'now' })
  expect(sent?.time).toBe(sent?.endTime)
})

test('an end is sent with the digits it has', async () => {
  const { sent } = await mark({ time: '2026-01-31T12:00:00Z', endTime: '2026-01-31T12:00:00.000000001Z' })
  expect(sent).toMatchObject({ time: '2026-01-31T12:00:00Z', endTime: '2026-01-31T12:00:00.000000001Z' })
})

test('title, description and url are sent as given', async () => {
  const texts = { title: 'v1.2 "quoted" <b>', description: 'line one\nline **two**', url: 'https://example.com/?a=1&b=2' }
  expect((await mark(texts)).sent).toMatchObject(texts)
})

test.each([
  ['title', 256],
  ['description', 512],
])('a long %s is cut to %d characters with a warning, and no character is split', async (name, max) => {
  const family = '👨‍👩‍👧'
  const run = await mark({ [name]: `${'x'.repeat(max - 3) + family}y` })
  expect(run.sent?.[name]).toBe(`${'x'.repeat(max - 3)}…`)
  expect(run.warnings).toEqual([expect.stringMatching(new RegExp(`"${name}" has ${max + 3} characters; it was cut to ${max}`))])
})

test('a title of just 256 emoji is kept whole', async () => {
  const run = await mark({ title: '🚀'.repeat(256) })
  expect(run.sent?.title).toBe('🚀'.repeat(256))
  expect(run.warnings).toEqual([])
})

test.each([
  ['empty', '', /token": the token is empty.*forks?.*reusable workflow/s],
  ['with a line break', 'abc-\nsecret', /token": the token contains .*U\+000A at position 5/],
  ['with a blank', 'abc secret', /token": the token contains .*U\+0020 at position 4/],
  ['with a letter beyond ASCII', 'abc-sécret', /token": the token contains .*U\+00E9/],
])('a token %s is an error that never shows it', async (_, token, message) => {
  const run = await mark({ token })
  expect(run.exitCode).toBe(1)
  expect(run.errors).toEqual([expect.stringMatching(message)])
  expect(run.sent).toBeUndefined()
  const outsideTheMask = run.stdout
    .split('\n')
    .filter((line) => !line.startsWith('::add-mask::'))
    .join('\n')
  if (token !== '') expect(outsideTheMask).not.toContain(token.trim())
})

test.each<[inputs: Record<string, string>, message: string]>([
  ...readYaml<[Record<string, string>, string][]>(import.meta.url, 'refused-inputs.yaml'),
  [{ datasets: Array.from({ length: 101 }, (_, at) => `d${at}`).join() }, 'names 101 datasets, .* has at most 100'],
  [{ datasets: 'x'.repeat(129) }, 'input "datasets" contains "x+…?"'],
])('%j is refused before anything is sent', async (inputs, message) => {
  const run = await mark(inputs)
  expect(run.exitCode).toBe(1)
  expect(run.errors).toEqual([expect.stringMatching(message)])
  expect(run.sent).toBeUndefined()
  expect(run.outputs).toMatchObject({ outcome: 'failed', id: '', annotation: 'null' })
})

test('what has a useful value near it is taken with a warning', async () => {
  const run = await mark({ type: 'feature/Login', url: `https://user:pw@example.com/${'x'.repeat(600)}`, timeoutSeconds: '30s' })
  expect(run).toMatchObject({ exitCode: 0, errors: [], outputs: { outcome: 'created' } })
  expect(run.sent).toMatchObject({ type: 'feature-login', url: JOB_URL })
  expect(run.warnings.map((warning) => /^input "(\w+)"/.exec(warning)?.[1])).toEqual(['type', 'url', 'timeoutSeconds'])
  expect(run.stdout).not.toMatch(/user|pw/)
})

test.each(['[]', 'null', '# nothing changed'])('the list of datasets %j marks nothing, which is no failure', async (datasets) => {
  const run = await mark({ datasets })
  expect(run).toMatchObject({ exitCode: 0, warnings: [], outputs: { outcome: 'skipped', id: '', annotation: 'null' } })
  expect([run.sent, run.stdout]).toEqual([undefined, expect.stringContaining('::notice::The list of datasets is empty')])
})

test.each([
  { datasets: 'web', endTime: ' Now' },
  { datasets: '', endTime: '2026-01-31T12:00:00Z' },
  { id: 'null', endTime: 'now' },
])('an empty id leaves nothing to close: %j', async (inputs) => {
  const run = await mark(inputs)
  expect([run.exitCode, run.sent, run.outputs.outcome]).toEqual([0, undefined, 'skipped'])
  expect(run.stdout).toContain('"id" is empty. Did the step that made it run?')
})

test('a time without a zone is read as UTC with a notice, and one more than a year ahead is a warning', async () => {
  const run = await mark({ time: '2126-01-31 12:00:00' })
  expect(run.sent).toMatchObject({ time: '2126-01-31T12:00:00Z' })
  expect(run.stdout).toContain('::notice::input "time" is "2126-01-31 12:00:00", which has no zone: it was read as UTC')
  expect(run.warnings).toEqual([
    expect.stringMatching(/The time of the annotation is more than a year ahead, 2126-01-31T12:00:00Z/),
  ])
})

test('everything that is wrong is said at once, in one error', async () => {
  const wrong = { datasets: 'a_b', type: '!', time: 'never', onOutage: 'panic', baseUrl: 'nowhere', timeoutSeconds: '0' }
  const run = await mark({ ...wrong, token: '' })
  expect(run.errors).toHaveLength(1)
  const lines = run.errors[0]?.split('\n') ?? []
  expect(lines.map((line) => /^input "(\w+)"/.exec(line)?.[1]).sort()).toEqual([...Object.keys(wrong), 'token'].sort())
})

test('a blank input counts as not given', async () => {
  // What begins with `job` is filled in by the runner.
  const optional = Object.keys(INPUT_DEFAULTS).filter((name) => !(name in required() || name.startsWith('job')))
  const { sent } = await mark(Object.fromEntries(optional.map((name, at) => [name, ' '.repeat(at % 3)])))
  expect(sent).toEqual({ datasets: ['web'], type: 'deploy', url: JOB_URL, time: expect.any(String) })
})

test('a base URL may have a path and a trailing slash', async () => {
  const run = await runAction({ ...required(), baseUrl: `${service.url}/axiom/` })
  expect(service.requests.at(-1)?.path).toBe('/axiom/v2/annotations')
  expect(run.exitCode).toBe(0)
})

test('a token and datasets are enough: the type and the title have defaults', async () => {
  const { token = '', datasets = '', baseUrl = '' } = required()
  const refs = { GITHUB_SHA: '1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d', GITHUB_REF: 'refs/heads/main' }
  await runAction({ token, datasets, baseUrl }, { env: refs })
  expect(JSON.parse(service.requests.at(-1)?.body ?? '')).toMatchObject({ type: 'deploy', title: 'shop@1a2b3c4 (main)' })
  await runAction({ token, datasets, baseUrl }, { env: { ...refs, GITHUB_REF: 'refs/tags/v1.2.0' } })
  expect(JSON.parse(service.requests.at(-1)?.body ?? '')).toMatchObject({ title: 'shop@v1.2.0' })
})

test('without a token the step is skipped where that is asked for, and other inputs are still checked', async () => {
  const before = service.requests.length
  const skipped = await runAction({ ...required(), token: '', ifNoToken: 'skip' })
  expect(skipped).toMatchObject({ exitCode: 0, errors: [], outputs: { outcome: 'skipped', id: '' }, state: {} })
  expect(skipped.stdout).toMatch(/::notice::There is no token/)
  const wrong = await runAction({ ...required(), token: '', type: '!', ifNoToken: 'skip' })
  expect(wrong.errors).toEqual([expect.stringMatching(/input "type" is "!"/)])
  expect(service.requests).toHaveLength(before)
})

test('a dry run needs no token, says what it would send, and sends nothing', async () => {
  const before = service.requests.length
  const run = await runAction({
    datasets: 'web',
    type: 'deploy',
    time: '2026-01-31T12:00:00Z',
    title: 'v1',
    dryRun: 'true',
    baseUrl: service.url,
  })
  expect(run).toMatchObject({ exitCode: 0, outputs: { outcome: 'dry-run', id: '', annotation: 'null' }, summary: '', state: {} })
  expect(run.log.join('\n')).toContain(
    `Dry run: would send POST ${service.url}/v2/annotations with {"time":"2026-01-31T12:00:00Z"`,
  )
  expect(service.requests).toHaveLength(before)
})

test('a dry run refuses what a run would refuse', async () => {
  const run = await runAction({ datasets: 'web', type: '!', dryRun: 'true' })
  expect(run.errors).toEqual([expect.stringMatching(/input "type" is "!"/)])
})

test('an input that was renamed is refused with its present name, and what a composite action passes on is not', async () => {
  const inputs = { token: 'xaat-1', datasets: 'web', dryRun: 'true', waitForVerdict: '15m', jobStatus: 'success' }
  const refused = await runAction(inputs)
  expect(refused).toMatchObject({ exitCode: 1, outputs: { outcome: 'failed' } })
  expect(refused.errors).toEqual([
    'input "jobStatus" is called "result" now; rename it\ninput "waitForVerdict" is called "wait" now; rename it',
  ])
  const passed = await runAction({ ...inputs, wait: inputs.waitForVerdict, result: inputs.jobStatus })
  expect(passed).toMatchObject({ exitCode: 0, outputs: { outcome: 'dry-run' } })
})
