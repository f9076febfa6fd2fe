/**
 * What people see: log, outputs, summary. Nothing that came from outside may act there.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { readNodePath } from '../../scripts/runner.ts'
import { ofEachTest } from '../support/for-tests.ts'
import { isLong } from '../support/long.ts'
import { GITHUB_ENV, JOB_URL, runAction, runPost } from '../support/run-action.ts'
import { startScriptedService } from '../support/scripted-service.ts'

const TOKEN = 'xaat-0123456789abcdef'
const basics = { token: TOKEN, datasets: 'web, api', type: 'deploy', time: '2026-01-31T12:00:00Z' }

/** Texts that would act if they reached a log, an output, a state file or a summary as they are. */
const HOSTILE = JSON.parse(readFileSync(new URL('hostile.json', import.meta.url), 'utf8')) as string[]

/** A place meets one text in so many; the next one meets the others, so that each text is tried. The long form tries them all. */
const STRIDE = isLong ? 1 : 3
const textsFor = (place: number) => HOSTILE.filter((_, at) => at % STRIDE === place % STRIDE)

/** One for each test; those with a script of their own start another. */
const service = ofEachTest(startScriptedService)

function expectHarmless(run: Awaited<ReturnType<typeof runAction>>) {
  const lines = run.stdout.split(/[\r\n]/)
  const commands = lines.filter((line) => /^\s*::/.test(line)).filter((line) => !/^::(add-mask|error|warning|debug)::/.test(line))
  expect(commands).toEqual([])
  expect(run.masks).toEqual([TOKEN])
  expect(lines.filter((line) => line.includes('##['))).toEqual([])
  expect(run.stdout).not.toContain('\u001b')
  expect(run.summary.replace(/<\/?(p|b|code)>|<a href="https?:[^"<>]*">|<\/a>/g, '')).not.toMatch(/[<>"]/)
}

test('the log says in one line what was created where', async () => {
  const run = await runAction({ ...basics, title: 'v1.2', baseUrl: service.url })
  expect(run.log).toEqual(['Created the annotation deploy "v1.2" on web, api at 2026-01-31T12:00:00Z: ann_1'])
  expect(run.masks).toEqual([TOKEN])
})

test('the token is masked before anything else is said', async () => {
  const run = await runAction({ ...basics, type: 'Bad' })
  expect(run.stdout.startsWith(`::add-mask::${TOKEN}\n`)).toBe(true)
})

test('the summary is one sentence with a link', async () => {
  const run = await runAction({ ...basics, title: 'v1 & v2', baseUrl: service.url })
  expect(run.summary).toBe(
    `<p>Marked <b>deploy</b> “v1 &#38; v2” on <code>web</code>, <code>api</code> at 2026-01-31 12:00:00 UTC. <a href="${JOB_URL}">Link</a></p>\n`,
  )
})

test('the summary of a change says so', async () => {
  await runAction({ ...basics, baseUrl: service.url })
  const run = await runAction({ token: TOKEN, id: 'ann_1', title: 'v2', baseUrl: service.url })
  expect(run.summary).toMatch(/^<p>Changed <b>deploy<\/b> “v2” on <code>web<\/code>, /)
})

test.each(['/dev/full', '/nowhere/output'])(
  'outputs that cannot be written (%s) are not told as a failed create',
  async (path) => {
    const run = await runAction({ ...basics, baseUrl: service.url }, { env: { GITHUB_OUTPUT: path } })
    expect(service.stored).toHaveLength(1)
    expect(run.exitCode).toBe(1)
    expect(run.errors).toEqual([
      expect.stringMatching(
        /^The annotation ann_1 was created, but the outputs \(GITHUB_OUTPUT\) cannot be written: .*adds another/,
      ),
    ])
  },
)

test('a state that cannot be written does not stop the mark', async () => {
  const run = await runAction({ ...basics, baseUrl: service.url }, { env: { GITHUB_STATE: '/dev/full' } })
  expect(run).toMatchObject({ exitCode: 0, errors: [], outputs: { id: 'ann_1', outcome: 'created' } })
  expect(run.warnings[0]).toMatch(/^The runner's state \(GITHUB_STATE\) cannot be written: .*ENOSPC/)
})

test('a log that nobody reads any more does not stop the mark', async () => {
  const env = { ...GITHUB_ENV, INPUT_TOKEN: TOKEN, INPUT_DATASETS: 'web', INPUT_TYPE: 'deploy', INPUT_BASEURL: service.url }
  const child = spawn(readNodePath(), ['dist/index.js'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.destroy()
  const [exitCode] = await once(child, 'exit')
  expect([exitCode, service.stored.length]).toEqual([0, 1])
})

test('the input names of another action are accepted, with a word', async () => {
  const { token, ...others } = basics
  const run = await runAction({ ...others, axiomToken: token, axiomUrl: service.url })
  expect(run).toMatchObject({ exitCode: 0, masks: [TOKEN], outputs: { id: 'ann_1' } })
  const notices = run.stdout.split('\n').filter((line) => line.startsWith('::notice::'))
  expect(notices).toEqual([
    expect.stringContaining('"axiomToken" is called "token"'),
    expect.stringContaining('"axiomUrl" is called "baseUrl"'),
  ])
})

test('summary: false writes none', async () => {
  expect((await runAction({ ...basics, summary: 'false', baseUrl: service.url })).summary).toBe('')
})

test('a runner without a summary file is no error', async () => {
  const run = await runAction({ ...basics, baseUrl: service.url }, { env: { GITHUB_STEP_SUMMARY: '' } })
  expect(run).toMatchObject({ exitCode: 0, errors: [], warnings: [], outputs: { outcome: 'created' } })
})

test.each(textsFor(0))('%j in the inputs is stored, of a title its first line, and acts nowhere', async (text) => {
  const inputs = {
    ...basics,
    title: `t ${text}.`,
    description: `d ${text}.`,
    url: `https://example.com/?u=${text}.`,
    baseUrl: service.url,
    endTime: 'job-end',
  }
  const main = await runAction(inputs)
  expectHarmless(main)
  const [title] = `t ${text}.`.split(/[\n\r\u2028]/)
  const url = expect.stringMatching(/^https:\/\/example\.com\/\?u=/)
  expect(service.stored).toMatchObject([{ title, description: `d ${text}.`, url }])
  expect(JSON.parse(main.outputs.annotation ?? '')).toMatchObject({ title })
  expect(main.outputs.id).toBe('ann_1')
  expectHarmless(await runPost(main, inputs, { job: { status: text } }))
})

test.each(textsFor(1))('%j in inputs that are refused acts nowhere', async (text) => {
  const run = await runAction({
    ...basics,
    datasets: text,
    type: text,
    time: text,
    endTime: text,
    id: text,
    onOutage: text,
    baseUrl: text,
  })
  expect(run.exitCode).toBe(1)
  expectHarmless(run)
})

test.each(textsFor(2))('%j from the service acts nowhere', async (text) => {
  const stored = {
    id: 'ann_1',
    type: text,
    datasets: [text],
    time: text,
    endTime: text,
    title: text,
    description: text,
    url: text,
  }
  await using service = await startScriptedService({ POST: () => ({ status: 201, body: JSON.stringify(stored) }) })
  const run = await runAction({ ...basics, baseUrl: service.url })
  expectHarmless(run)
  expect(JSON.parse(run.outputs.annotation ?? '')).toEqual(stored)
})

test.each(textsFor(3))('%j in an error of the service acts nowhere', async (text) => {
  const header = text.replace(/[^\x20-\x7e]/g, '')
  const answer = { status: 400, body: JSON.stringify({ code: 400, message: text }), headers: { 'x-axiom-trace-id': header } }
  await using service = await startScriptedService({ POST: () => answer })
  const run = await runAction({ ...basics, baseUrl: service.url })
  expect(run.errors).toHaveLength(1)
  expectHarmless(run)
})

test('an id that could act is not believed', async () => {
  const answer = { status: 201, body: JSON.stringify({ id: 'ann_1\n::error::x', type: 'a', datasets: [], time: 'b' }) }
  await using service = await startScriptedService({ POST: () => answer })
  const run = await runAction({ ...basics, baseUrl: service.url, timeoutSeconds: '2' })
  expect(run).toMatchObject({ exitCode: 1, outputs: {} })
  expectHarmless(run)
})

test('a service that echoes the token in any spelling gets it into no log, output, state or summary', async () => {
  const hex = Buffer.from(TOKEN).toString('hex')
  const each = (write: (hex: string) => string) => hex.replace(/../g, write)
  const inBase64 = (text: string) => Buffer.from(text).toString('base64')
  const half = TOKEN.length / 2
  const spellings = [
    TOKEN,
    TOKEN.toUpperCase(),
    [...TOKEN].reverse().join(''),
    `${TOKEN.slice(0, half)}\n  ${TOKEN.slice(half)}`,
    `\ufeff"${TOKEN}"`,
    `?token=${TOKEN}&a=b`,
    hex,
    hex.toUpperCase(),
    each((byte) => `%${byte}`),
    each((byte) => `%25${byte}`),
    `${TOKEN.slice(0, 3)}%${hex.slice(6, 8)}${TOKEN.slice(4)}`,
    each((byte) => `\\x${byte}`),
    each((byte) => `\\u00${byte}`),
    each((byte) => `\\\\u00${byte}`),
    each((byte) => `&#x${byte};`),
    each((byte) => `&amp;#${Number.parseInt(byte, 16)};`),
    each((byte) => `${byte}:`).slice(0, -1),
    JSON.stringify([...Buffer.from(TOKEN)]),
    [...Buffer.from(TOKEN)].join(' '),
    ...['', 'Bearer ', 'user:', 'x:'].map((before) => inBase64(before + TOKEN)),
    inBase64(TOKEN).replace(/.{9}/g, '$&\n'),
    Buffer.from(TOKEN).toString('base64url'),
  ]
  for (const spelling of spellings) {
    const said = JSON.stringify({ message: `got ${spelling} end` })
    const inHeader = spelling.replace(/\s|\ufeff/g, '')
    const headers = {
      'x-axiom-trace-id': inHeader,
      'annotation-warning': inHeader,
      link: `</?q=${inHeader}>; rel="alternate"; type="text/html"`,
    }
    const id = /^[\w.~-]+$/.test(spelling) ? spelling : 'ann_1'
    const stored = { id, type: 'deploy', datasets: ['web', spelling], time: 'x', title: spelling, more: { spelling } }
    const answers = [
      { status: 400, body: said, headers },
      { status: 201, body: JSON.stringify(stored), headers },
    ]
    await using service = await startScriptedService({ POST: (count) => answers[count - 1] })
    for (const _ of answers) {
      const { stdout, stderr, outputs, state, summary } = await runAction({ ...basics, endTime: 'job-end', baseUrl: service.url })
      const seen = stdout.replace(`::add-mask::${TOKEN}`, '') + stderr + JSON.stringify([outputs, state]) + summary
      // Ten characters of a spelling in a row would be a piece of it.
      const pieces = [spelling.slice(8, 18), JSON.stringify(spelling).slice(9, 19)].map((piece) => piece.toLowerCase())
      expect(pieces.filter((piece) => seen.toLowerCase().includes(piece))).toEqual([])
      expect(seen).toContain('***')
    }
  }
})

test('the bundle names no folder of the machine that built it', () => {
  for (const file of ['dist/index.js', 'dist/post/index.js']) expect(readFileSync(file, 'utf8')).not.toContain(process.cwd())
})
