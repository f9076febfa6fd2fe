import { readFileSync } from 'node:fs'
import { formatDuration } from '@deployment-annotations/contract/duration'
import { expect, test } from '@jest/globals'
import { runAction, runPost } from '../support/run-action.ts'
import { type Script, silence, startScriptedService } from '../support/scripted-service.ts'

const TOKEN = 'xaat-0123456789abcdef'
const inputsOf = (service: { url: string }) => ({
  token: TOKEN,
  datasets: 'web',
  type: 'deploy',
  endTime: 'job-end',
  baseUrl: service.url,
})

/** Opens a span a while ago, and ends the job. */
async function runSpan(
  options: { script?: Script; inputs?: Record<string, string>; status?: string; env?: Record<string, string> } = {},
) {
  const service = await startScriptedService(options.script)
  const inputs = { ...inputsOf(service), ...options.inputs }
  const main = await runAction(inputs)
  const post = await runPost(main, inputs, { job: { status: options.status ?? 'success' }, env: options.env ?? {} })
  await service.close()
  return { service, main, post }
}

test.concurrent('a release span is open while the job runs, and closed when it ends', async () => {
  const time = new Date(Date.now() - 252_000).toISOString()
  const { service, main, post } = await runSpan({ inputs: { time, description: 'Shop **v2**' } })
  expect(JSON.parse(service.requests[0]?.body ?? '')).not.toHaveProperty('endTime')
  expect(main.log.join()).toMatch(/Created the annotation deploy on web at .* until the job ends: ann_1/)
  expect(post).toMatchObject({ exitCode: 0, warnings: [], errors: [] })
  const endTime = Date.parse(String(service.stored[0]?.endTime))
  expect(endTime - Date.parse(time)).toBeGreaterThan(252_000)
  const result = `success after ${formatDuration(endTime - Date.parse(time))}`
  expect(service.stored).toMatchObject([{ description: `Shop **v2**\n\n${result}` }])
  expect(post.log.join()).toContain(`Closed the release span ann_1: ${result}`)
})

const GITEA = { ACT: 'true', GITEA_ACTIONS: 'true' }
const FORGEJO = { ...GITEA, FORGEJO_ACTIONS: 'true' }
const WRAPPED = { GITHUB_ACTION_PATH: '/actions/wrap' }

test.concurrent.each<[what: string, options: Parameters<typeof runSpan>[0], result: string]>([
  ['of a job that failed is its failure', { status: 'failure' }, 'failure'],
  ['of a job that was cancelled is told in the word of the contract', { status: 'cancelled' }, 'canceled'],
  ['is none on Gitea, whose runner froze it before the main step', { env: GITEA }, 'ended'],
  ['is none in a composite action on act, which tells only of its own steps', { env: { ACT: 'true', ...WRAPPED } }, 'ended'],
  ['is none in a composite action on Forgejo, likewise', { env: { ...FORGEJO, ...WRAPPED } }, 'ended'],
  ['is that of the job on act', { env: { ACT: 'true', GITHUB_ACTION_PATH: '' }, status: 'failure' }, 'failure'],
  ['is that of the job on Forgejo', { env: { ...FORGEJO, GITHUB_ACTION_PATH: '' }, status: 'failure' }, 'failure'],
  ['is that of the job in a composite action on GitHub', { env: WRAPPED, status: 'failure' }, 'failure'],
  ['is what the workflow gives, on every runner', { env: GITEA, inputs: { result: 'failure' } }, 'failure'],
])('the result %s, and the span is closed', async (_, options, result) => {
  const { service, post } = await runSpan(options)
  const description = expect.stringMatching(`^${result} after \\d+ s$`)
  expect([post.exitCode, service.stored]).toMatchObject([0, [{ description, endTime: expect.any(String) }]])
})

test.concurrent('the line about the result never makes the description too long', async () => {
  const { service } = await runSpan({ inputs: { description: '🚀'.repeat(512) } })
  const description = String(service.stored[0]?.description)
  expect([...description].length).toBeLessThanOrEqual(512)
  expect(description).toMatch(/🚀…\n\nsuccess after \d+ s$/)
})

test.concurrent('a description that another step has written meanwhile is kept', async () => {
  await using service = await startScriptedService()
  const inputs = inputsOf(service)
  const main = await runAction(inputs)
  await runAction({ id: main.outputs.id ?? '', description: 'rolled out to 5 regions', token: TOKEN, baseUrl: service.url })
  await runPost(main, inputs)
  expect(service.stored).toMatchObject([{ description: expect.stringMatching(/^rolled out to 5 regions\n\nsuccess after/) }])
})

test.concurrent('a span that another step has closed stays as it is', async () => {
  await using service = await startScriptedService()
  const inputs = inputsOf(service)
  const main = await runAction(inputs)
  await runAction({ id: main.outputs.id ?? '', endTime: 'now', token: TOKEN, baseUrl: service.url })
  const closed = { ...service.stored[0] }
  const post = await runPost(main, inputs)
  expect(service.stored).toEqual([closed])
  expect(post.log.join()).toContain('was already closed')
})

test.concurrent('an existing annotation can be made a span over the rest of the job', async () => {
  await using service = await startScriptedService()
  const first = await runAction({ ...inputsOf(service), endTime: '' })
  const inputs = { id: first.outputs.id ?? '', endTime: 'job-end', token: TOKEN, baseUrl: service.url }
  const main = await runAction(inputs)
  expect(main).toMatchObject({ exitCode: 0, outputs: { outcome: 'changed', id: first.outputs.id } })
  await runPost(main, inputs)
  expect(service.stored).toMatchObject([{ endTime: expect.any(String) }])
})

test.concurrent('an annotation that a lost answer left open is closed all the same, where its id is known', async () => {
  await using service = await startScriptedService({ GET: (count) => (count <= 20 ? { status: 500 } : undefined) })
  const { id = '' } = (await runAction({ ...inputsOf(service), endTime: '' })).outputs
  const inputs = { id, endTime: 'job-end', token: TOKEN, baseUrl: service.url, timeoutSeconds: '2' }
  const main = await runAction(inputs)
  expect(main.outputs.outcome).toBe('unreachable')
  service.requests.push(...Array(20).fill({ method: 'GET' }))
  await runPost(main, inputs)
  expect(service.stored).toMatchObject([{ id, endTime: expect.any(String) }])
})

test.concurrent('a post step without anything to do says and sends nothing', async () => {
  await using service = await startScriptedService()
  const inputs = { ...inputsOf(service), endTime: '' }
  const main = await runAction(inputs)
  const post = await runPost(main, inputs)
  expect(post).toMatchObject({ exitCode: 0, stdout: '', stderr: '' })
  expect(service.requests).toHaveLength(1)
})

test.concurrent('a post step whose main step never ran does nothing', async () => {
  await using service = await startScriptedService()
  const nothing = { ...(await runAction({ dryRun: 'true', datasets: 'web', type: 'deploy' })), state: {} }
  expect(await runPost(nothing, inputsOf(service))).toMatchObject({ exitCode: 0, stdout: '' })
  expect(service.requests).toEqual([])
})

test.concurrent('an annotation that was deleted meanwhile is a warning, not a failed job', async () => {
  const { post } = await runSpan({
    script: { GET: () => ({ status: 404, body: '{"code":404,"message":"no such annotation"}' }) },
  })
  expect(post).toMatchObject({ exitCode: 0, errors: [] })
  expect(post.warnings).toEqual([
    expect.stringMatching(/Could not close the release span: GET .*ann_1 answered 404: no such annotation\./),
  ])
})

test.concurrent('a token that may only write still closes its span', async () => {
  const { service, post } = await runSpan({ script: { GET: () => ({ status: 403 }) }, inputs: { description: 'v2' } })
  expect(post.warnings).toEqual([])
  expect(service.stored).toMatchObject([{ endTime: expect.any(String), description: expect.stringMatching(/^v2\n\nsuccess/) }])
})

test.concurrent('a service that fails when the span is closed never fails the job', async () => {
  const { post } = await runSpan({
    script: { PUT: () => ({ status: 500, body: '{"message":"disk on fire"}' }) },
    inputs: { timeoutSeconds: '2' },
  })
  expect(post).toMatchObject({ exitCode: 0, errors: [] })
  expect(post.warnings).toEqual([expect.stringMatching(/answered 500: disk on fire.*attempts in/)])
})

test.concurrent('a closing PUT whose answer is lost is repeated', async () => {
  const { service, post } = await runSpan({
    script: { PUT: (count) => (count === 1 ? { status: 502, commit: true } : undefined) },
  })
  expect(post).toMatchObject({ exitCode: 0, warnings: [] })
  expect(service.stored).toMatchObject([{ endTime: expect.any(String) }])
})

/** Cancels a main step once its create has arrived, which is answered with silence, and ends the job. */
async function runCanceled(options: { commit: boolean }) {
  const cancel = new AbortController()
  const service = await startScriptedService({
    POST: () => {
      cancel.abort()
      return { ...silence, ...options }
    },
  })
  const inputs = inputsOf(service)
  const main = await runAction(inputs, { signal: cancel.signal })
  const post = await runPost(main, inputs, { job: { status: 'cancelled' } })
  await service.close()
  return { service, main, post }
}

test.concurrent('a main step that was canceled after its request took effect is found again and its span closed', async () => {
  const { service, main, post } = await runCanceled({ commit: true })
  expect(main.exitCode).not.toBe(0)
  expect(post.log.join('\n')).toMatch(/No answer had come back, but the annotation exists: ann_1/)
  expect(service.stored).toMatchObject([{ endTime: expect.any(String), description: expect.stringMatching(/^canceled after/) }])
})

test.concurrent('a main step that was canceled before its request took effect leaves nothing to close', async () => {
  const { service, main, post } = await runCanceled({ commit: false })
  expect(main.exitCode).not.toBe(0)
  expect(post).toMatchObject({ exitCode: 0, warnings: [], log: [expect.stringMatching(/nothing to close/)] })
  expect(service.stored).toEqual([])
})

test.concurrent('a second copy that a late commit left behind is removed, and only that', async () => {
  await using service = await startScriptedService({
    // The first create is answered too early and takes effect behind the back of the looks.
    POST: (count) => (count === 1 ? { status: 503 } : undefined),
  })
  const inputs = { ...inputsOf(service), endTime: '' }
  const other = await runAction({ ...inputs, title: 'another' })
  const main = await runAction(inputs)
  const kept = service.stored.find((annotation) => annotation.id === main.outputs.id)
  service.stored.push({ ...(kept as NonNullable<typeof kept>), id: 'ann_late' })
  expect(main.state.doubt ?? other.state.doubt).toBe('true')
  const post = await runPost({ ...main, state: { ...main.state, doubt: 'true' } }, inputs)
  expect(post.log.join()).toContain('Removed a second copy of the annotation, left by a lost answer: ann_late')
  expect(service.stored.map(({ id }) => id)).toEqual([other.outputs.id, main.outputs.id])
})

test.concurrent('an equal annotation with a time that the user gave is not taken for a copy', async () => {
  await using service = await startScriptedService()
  const inputs = { ...inputsOf(service), endTime: '', time: '2026-01-31T12:00:00Z' }
  await runAction(inputs)
  const main = await runAction(inputs)
  await runPost({ ...main, state: { ...main.state, doubt: 'true' } }, inputs)
  expect(service.stored).toHaveLength(2)
})

/** What our service answers of an annotation that it has judged. */
const JUDGED = readFileSync(new URL('judged.json', import.meta.url), 'utf8')

test.concurrent('with wait the post step writes what the service says into the summary, and does not fail the job', async () => {
  const link = '<../../?annotations=ann_1>; rel="alternate"; type="text/html"'
  const script: Script = { GET: () => ({ status: 200, headers: { link }, body: JUDGED }) }
  const point = { endTime: '', wait: '10m' }
  const { service, post } = await runSpan({ script, inputs: point })
  expect(post).toMatchObject({ exitCode: 0, errors: [] })
  expect(post.warnings).toEqual([expect.stringContaining('web 2: Errors doubled: 1 → 2 %')])
  expect(post.summary).toContain('### 🔴 web 2: Errors doubled: 1 → 2 %')
  const failing = '?apl=%5B%27web%27%5D+%7C+where+status+%3E%3D+500&startTime=2026-01-31T12:00:00Z&endTime=2026-01-31T12:10:00Z'
  const links = `[See the 1,048 failing requests](<${service.url}/${failing}>) · [charts](<${service.url}/?annotations=ann_1>)`
  expect(post.summary).toContain(`10 min after 12:00 UTC, against 1 h before. ${links}\n`)
  expect(service.requests.at(-1)?.path).toMatch(/\?include=all$/)
  const failed = await runSpan({ script, inputs: { ...point, endTime: 'job-end' }, status: 'failure' })
  expect(failed.post).toMatchObject({ exitCode: 0, warnings: [], summary: '' })
})

test.concurrent('a service that judges nothing, a verdict that does not come, and a length that is none', async () => {
  const silent = await runSpan({ inputs: { wait: '10m' } })
  expect(silent.post.log.join()).toContain('The service does not judge releases: there is no verdict to wait for.')
  const { verdict: _, verdictDetails: __, ...unjudged } = JSON.parse(JUDGED)
  const script: Script = { GET: () => ({ status: 200, body: JSON.stringify(unjudged) }) }
  const late = await runSpan({ script, inputs: { endTime: '', wait: '1s' } })
  expect(late.post).toMatchObject({ exitCode: 0, warnings: [], errors: [] })
  expect(late.post.log.join()).toContain('There is no verdict of ann_1 after 1 s')
  const wrong = await runAction({ ...inputsOf({ url: 'http://127.0.0.1:1' }), wait: 'soon' })
  expect(wrong.errors.join()).toContain('"wait" is "soon": it must be a length of time')
})
