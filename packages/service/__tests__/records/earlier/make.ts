/**
 * Makes a data directory with the service of an earlier commit, and says what is to be found in it: see README.md here.
 * Everything goes over HTTP and the subcommands, which all versions share; what only a crash at a certain moment leaves is
 * written into the tables afterwards. It is one long file, because it is read and run apart from all others. Deliberately not here: reading it with a later version.
 *
 *   node make.ts <version of the data> <checkout of its commit, installed and built> [killed]
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const [version = 0, checkout = '', variant = 'stopped'] = [Number(process.argv[2]), process.argv[3], process.argv[4]]
const OPERATOR = 'xapt-0123456789abcdef0123456789abcdef'
const SECRET = 'whsec_dGhpcyBpcyBhIHNlY3JldCBmb3IgdGVzdHMgb25seSE='
const HOSTILE = `it's a \\N "title" \`;\n--\t{id:String} <b>😀</b> ’); DROP TABLE annotations`
const DEPLOYED_AT = '2026-03-01T12:00:00Z'

const data = mkdtempSync(join(tmpdir(), `earlier-data-${version}-`))
const program = version < 4 ? join(checkout, 'src/bin/serve.ts') : join(checkout, 'packages/service/bin/annotation-service.cjs')
let service: ChildProcess
let url = ''
/** What the service said before it ended, for a reader to compare with. */
const expected: Record<string, unknown> = { version, variant, madeAt: new Date().toISOString() }

async function start(): Promise<void> {
  const flags = [program, '--port', '0', '--data', data]
  const env = { ...process.env, ANNOTATION_SERVICE_TOKEN: OPERATOR }
  service = spawn(process.execPath, flags, { env, cwd: checkout, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  service.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  while (!/ready at (\S+)\n/.test(output)) {
    if (service.exitCode !== null) throw new Error(`the service ended with ${service.exitCode}`)
    await sleep(20)
  }
  url = /ready at (\S+)\n/.exec(output)?.[1] ?? ''
}

async function end(signal: NodeJS.Signals): Promise<void> {
  const closed = once(service, 'close')
  service.kill(signal)
  await closed
}

interface Asked {
  body?: unknown
  headers?: Record<string, string>
  token?: string | null
}

/** @returns status and body; numbers as texts, digit by digit, behind a # */
async function ask<T = Body>(method: string, path: string, { body, headers = {}, token = OPERATOR }: Asked = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(text !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(text !== undefined && { body: text }),
  })
  const answered = await response.text()
  return { status: response.status, body: (answered === '' ? undefined : exact(answered)) as T }
}

/** The members of answers that are used here. */
interface Body {
  id: string
  token: string
  annotation: string
  tables?: [{ columns: unknown }]
}

function exact(text: string): unknown {
  const keepDigits = (_: string, value: unknown, { source }: { source?: string }) =>
    typeof value === 'number' ? `#${source}` : value
  return (JSON.parse as (text: string, reviver: typeof keepDigits) => unknown)(text, keepDigits)
}

async function must<T = Body>(method: string, path: string, asked: Asked = {}) {
  const answer = await ask<T>(method, path, asked)
  if (answer.status >= 300) throw new Error(`${method} ${path} ${JSON.stringify(asked)}: ${JSON.stringify(answer)}`)
  return answer.body
}

function command(args: readonly string[], input = ''): { stdout: string; stderr: string } {
  const child = join(data, '..', `stderr-${process.pid}`)
  const stdout = execFileSync('sh', ['-c', `exec "$@" 2> ${child}`, 'sh', process.execPath, program, ...args, '--data', data], {
    encoding: 'utf8',
    input,
  })
  const stderr = execFileSync('cat', [child], { encoding: 'utf8' })
  rmSync(child)
  return { stdout, stderr }
}

/** For the tables as they lie on disk, while no service has them open. */
function withEngine(work: (query: (sql: string) => string) => void): void {
  const { Session } = createRequire(join(checkout, 'package.json'))('chdb')
  const session = new Session(join(data, 'engine'))
  work((sql) => session.query(sql, 'TabSeparated'))
  session.close()
}

async function annotate(): Promise<void> {
  const make = async (body: object, headers = {}) => (await must('POST', '/v2/annotations', { body, headers })).id as string
  await make({ datasets: ['web'], type: 'deploy', time: '1900-01-01T00:00:00Z' })
  await make({
    datasets: ['web'],
    type: 'deploy',
    time: '1969-12-31T23:59:59.999999999Z',
    endTime: '2262-04-11T23:47:16.854775807Z',
  })
  await make({
    datasets: ['web', 'api', 'a-b'],
    type: 'deploy',
    time: '2026-01-01T00:00:00.000000001Z',
    title: HOSTILE,
    description: HOSTILE,
  })
  const all = {
    datasets: ['api'],
    type: 'release-1',
    time: DEPLOYED_AT,
    endTime: '2026-03-01T12:05:00.5Z',
    title: 'Release 7',
    description: '# Seven\n\n**bold**',
    url: 'https://example.org/?a=b&c=d#e',
  }
  const changed = await make(all)
  await must('PUT', `/v2/annotations/${changed}`, {
    body: { title: '', url: '', datasets: ['api', 'shop'], endTime: '2026-03-01T12:06:00Z' },
  })
  await must('PUT', `/v2/annotations/${changed}`, { body: { description: 'changed twice' } })
  await must('DELETE', `/v2/annotations/${await make({ ...all, title: 'deleted' })}`)
  const key = { 'idempotency-key': 'annotation-key' }
  const keyed = { datasets: ['once'], type: 'deploy', time: DEPLOYED_AT, title: 'once' }
  const id = await make(keyed, key)
  const forgotten = { ...keyed, title: 'its key was deleted with it' }
  await must('DELETE', `/v2/annotations/${await make(forgotten, { 'idempotency-key': 'forgotten-key' })}`)
  expected.annotationKey = { token: OPERATOR, headers: key, body: keyed, id, otherBodyIs: 422 }
}

async function makeTokens(): Promise<void> {
  const permissions = ['--permission', 'annotations|create', '--permission', 'annotations|read']
  const api = command(['token', 'create', '--name', 'from the command', ...permissions])
  const personal = command(['token', 'create', '--personal', '--name', 'personal'])
  const revoked = command(['token', 'create', '--personal', '--name', 'revoked'])
  const secretOf = ({ stdout, stderr }: { stdout: string; stderr: string }) => /xa[ap]t-[\w-]+/.exec(stdout + stderr)?.[0] ?? ''
  const idOf = ({ stdout, stderr }: { stdout: string; stderr: string }) => /tok_[0-9a-f]+/.exec(stdout + stderr)?.[0] ?? ''
  command(['token', 'revoke', idOf(revoked)])
  const secrets: Record<string, string> = { api: secretOf(api), personal: secretOf(personal), revoked: secretOf(revoked) }
  if (version === 4) {
    const made = (body: object) => must('POST', '/v2/tokens', { body })
    secrets.apiOverHttp = (await made({ name: 'over HTTP “ü”', permissions: ['query|read', 'datasets|read'] })).token
    secrets.personalOverHttp = (await made({ name: 'personal over HTTP', kind: 'personal' })).token
  }
  const answers = async (token: string) => (await ask('GET', '/v2/annotations', { token })).status
  expected.tokens = await Promise.all(
    Object.entries(secrets).map(async ([name, secret]) => ({ name, secret, listsAnnotations: await answers(secret) })),
  )
  expected.tokenList = command(['token', 'list']).stdout
}

const EVENTS = `[
{"_time":"2026-03-01T12:00:00Z","n":9223372036854775807,"f":0.1,"text":"one","flag":true,"nested":{"a":{"b":1}},"list":[1,2]},
{"_time":"2026-03-01T12:00:01.000000001Z","n":-9223372036854775808,"f":1e300,"text":"","flag":false,"mixed":"a text"},
{"_time":"1969-12-31T23:59:59.999999999Z","n":0,"f":-0.5,"text":${JSON.stringify(HOSTILE)},"mixed":17},
{"_time":"2262-01-01T00:00:00Z","mixed":true,"with space":"x","with.dot":"y","ünï":"z"}]`

async function ingest(): Promise<void> {
  await must('POST', '/v2/datasets', { body: { name: 'web', description: HOSTILE } })
  await must('POST', '/v2/datasets', { body: { name: 'kept', useRetentionPeriod: true, retentionDays: 36_000 } })
  await must('POST', '/v2/datasets', { body: { name: 'empty', description: 'nothing in it' } })
  await must('POST', '/v2/datasets', { body: { name: 'removed' } })
  const send = (dataset: string, body: string, headers = {}) => must('POST', `/v1/datasets/${dataset}/ingest`, { body, headers })
  await send('web', EVENTS)
  await send('kept', '[{"_time":"2026-03-01T12:00:00Z","k":1}]')
  await send('removed', '[{"gone":true}]')
  await must('DELETE', '/v2/datasets/removed')
  await must('PUT', '/v2/datasets/kept', { body: { description: 'changed' } })
  // More than one request of the engine: it is staged, and joined.
  const large = Array.from({ length: 24_000 }, (_, i) => ({
    _time: new Date(Date.parse(DEPLOYED_AT) + i).toISOString(),
    i,
    status: i % 5 === 0 ? 500 : 200,
    path: `/a/path/that/is/the/same/in/every/event/so/that/this/is/small/on/disk/and/large/in/the/request/${i % 3}`,
  }))
  await send('large', JSON.stringify(large))
  const keyed = '[{"_time":"2026-03-01T12:00:00Z","once":1},{"_time":"2026-03-01T12:00:01Z","once":2}]'
  const headers = { 'idempotency-key': 'ingest-key' }
  const answer = await send('keyed', keyed, headers)
  expected.ingestKey = { token: OPERATOR, dataset: 'keyed', headers, body: keyed, answer, otherBodyIs: 422 }
  // Its confirmation, written with the next one or after a second, is on disk; that of `lastIngest` is not after a SIGKILL.
  await sleep(1_500)
}

/** Stored, and not confirmed where the service is killed right after it. */
async function lastIngest(): Promise<void> {
  const body = '[{"_time":"2026-03-01T12:00:02Z","once":3}]'
  const headers = { 'idempotency-key': 'unconfirmed-key' }
  const answer = await must('POST', '/v1/datasets/keyed/ingest', { body, headers })
  expected.unconfirmedIngestKey = { token: OPERATOR, dataset: 'keyed', headers, body, answer }
}

interface Ran {
  disabled: boolean
  state: { lastRun?: string }
}

async function makeMonitors(): Promise<void> {
  const base = { operator: 'Above', threshold: 0.1 + 0.2, intervalMinutes: 525_600, rangeMinutes: 525_600, datasets: ['web'] }
  const make = async (body: object) => (await must('POST', '/v2/monitors', { body: { ...base, ...body } })).id as string
  await make({ name: 'ok', aplQuery: 'print x = 0', description: HOSTILE, operator: 'AboveOrEqual' })
  await make({ name: HOSTILE, aplQuery: 'print x = 1', annotationType: 'incident', annotationTitle: 'triggered' })
  await make({ name: 'disabled', aplQuery: 'print x = 1', disabled: true, threshold: -1e-300, operator: 'Below' })
  await make({
    name: 'no data',
    aplQuery: "['web'] | where n == 123456 | summarize max(n)",
    alertOnNoData: true,
    datasets: ['web', 'api'],
  })
  const failing = await make({ name: 'error', aplQuery: "['web'] | summarize count()" })
  await must('PUT', `/v2/monitors/${failing}`, { body: { aplQuery: "['removed-meanwhile'] | summarize count()" } }).catch(
    () => undefined,
  )
  const removed = await make({ name: 'removed', aplQuery: 'print x = 1' })
  const hasRun = async () => (await must<Ran[]>('GET', '/v2/monitors')).every(({ disabled, state }) => disabled || state.lastRun)
  while (!(await hasRun())) await sleep(50)
  await must('DELETE', `/v2/monitors/${removed}`)
}

const sign = (payload: object, event?: string) => {
  const body = JSON.stringify(payload)
  const digest = createHmac('sha256', SECRET).update(body).digest('hex')
  return event
    ? { body, token: null, headers: { 'x-github-event': event, 'x-hub-signature-256': `sha256=${digest}` } }
    : { body, token: null, headers: { 'x-signature-256': `sha256=${digest}` } }
}
const reported = (deployment: string, status: string, time: string) =>
  sign({ deployment, status, time, project: 'shop', environment: 'production', version: 'v2.4.0', description: HOSTILE })

async function deploy(): Promise<void> {
  for (const platform of ['generic', 'github', 'vercel', 'netlify']) {
    const flags = ['--platform', platform, '--name', `${platform} ü`, '--datasets', 'web,shop', '--secret-stdin']
    command(['integration', 'create', ...flags], `${SECRET}\n`)
  }
  command([
    'integration',
    'create',
    '--platform',
    'generic',
    '--name',
    'staging',
    '--datasets',
    'api',
    '--environment',
    'staging',
    '--title',
    '{version} by {by}',
    '--type',
    'release',
  ])
  const send = async (...args: Parameters<typeof reported>) =>
    (await must('POST', '/v1/integrations/generic', reported(...args))).annotation as string
  await send('begun', 'started', DEPLOYED_AT)
  await send('ended', 'started', DEPLOYED_AT)
  await send('ended', 'failed', '2026-03-01T12:03:00Z')
  const deleted = await send('deleted by hand', 'started', DEPLOYED_AT)
  await must('DELETE', `/v2/annotations/${deleted}`)
  await must('POST', '/v1/integrations/generic', reported('deleted by hand', 'succeeded', '2026-03-01T12:03:00Z'))
  const at = { created_at: DEPLOYED_AT, updated_at: DEPLOYED_AT }
  const github = {
    action: 'created',
    deployment_status: { id: 7, state: 'in_progress', description: '', environment: 'production', target_url: '', ...at },
    deployment: {
      id: 145988746,
      sha: '0123456789abcdef0123456789abcdef01234567',
      ref: 'main',
      task: 'deploy',
      environment: 'production',
      description: null,
      creator: { login: 'ada' },
      ...at,
    },
    repository: { name: 'shop', full_name: 'ada/shop', html_url: 'https://github.example/ada/shop' },
  }
  expected.githubDeployment = {
    ...sign(github, 'deployment_status'),
    answer: await must('POST', '/v1/integrations/github', sign(github, 'deployment_status')),
  }
  expected.deployments = {
    // Each of these, sent again, is answered with the outcome; then the unfinished ones can be ended.
    repeated: [
      { ...reported('begun', 'started', DEPLOYED_AT), outcome: 'unchanged' },
      { ...reported('ended', 'failed', '2026-03-01T12:03:00Z'), outcome: 'unchanged' },
      { ...reported('deleted by hand', 'started', DEPLOYED_AT), outcome: 'ignored' },
    ],
    next: { ...reported('begun', 'succeeded', '2026-03-01T12:09:00Z'), outcome: 'changed' },
  }
  expected.integrationList = command(['integration', 'list']).stdout
  if (variant !== 'killed') return
  expected.crashed = { new: await send('new', 'started', DEPLOYED_AT), due: await send('due', 'started', DEPLOYED_AT) }
  await send('due', 'succeeded', '2026-03-01T12:04:00Z')
}

const QUERIES = [
  "['web'] | sort by _time asc | project _time, n, f, text, flag, mixed, ['with space'], ['ünï']",
  "['web'] | summarize count(), max(n), min(n), sum(f) ",
  "['large'] | summarize count(), sum(i), countif(status == 500), dcount(path)",
  "['keyed'] | sort by _time asc | project _time, once",
  "['kept'] | project _time, k, description = 'x'",
]

async function observe(): Promise<void> {
  expected.annotations = await must('GET', '/v2/annotations')
  if (version < 2) return
  expected.datasets = await must('GET', '/v2/datasets')
  if (version < 3) return
  const query = async (apl: string) => {
    const { status, body } = await ask('POST', '/v1/datasets/_apl?format=tabular', {
      body: { apl, startTime: '1900-01-01T00:00:00Z', endTime: '2262-04-11T00:00:00Z' },
    })
    return { apl, status, columns: body?.tables?.[0]?.columns ?? body }
  }
  expected.queries = await Promise.all(QUERIES.map(query))
  expected.monitors = await must('GET', '/v2/monitors')
  if (version === 4) expected.fields = await must('GET', '/v2/datasets/web/fields').catch(() => undefined)
}

/** What a SIGKILL between two writes leaves, which is too short a moment to hit. */
function leaveHalfDone(): void {
  withEngine((query) => {
    query(
      `CREATE TABLE default.events_00000000000000000000000000 AS default.${query("SELECT table_name FROM default.datasets WHERE name = 'web'").trim()}`,
    )
    const { new: made, due } = expected.crashed as { new: string; due: string }
    // The row of a deployment is written before its annotation is made, or changed.
    query(`DELETE FROM default.annotations WHERE id = '${made}'`)
    query("UPDATE default.deployments SET state = 'new' WHERE deployment = 'new'")
    query(`UPDATE default.annotations SET end_time_ns = NULL WHERE id = '${due}'`)
    query("UPDATE default.deployments SET state = 'due' WHERE deployment = 'due'")
    // A monitor's operations are written before they are carried out.
    const opened = query("SELECT annotation_id FROM default.monitors FINAL WHERE annotation_title = 'triggered'").trim()
    const sinceMs = query("SELECT since_ms FROM default.monitors FINAL WHERE annotation_title = 'triggered'").trim()
    const outbox = JSON.stringify([
      {
        kind: 'open',
        id: opened,
        atMs: Number(sinceMs),
        datasets: ['web'],
        type: 'incident',
        title: 'triggered',
        description: 'from the outbox',
      },
    ])
    query(
      `INSERT INTO default.monitors SELECT * REPLACE (version + 1 AS version, '${outbox}' AS steps) FROM default.monitors FINAL WHERE annotation_title = 'triggered'`,
    )
    query(`DELETE FROM default.annotations WHERE id = '${opened}'`)
    Object.assign(expected.crashed as object, { opened })
    const marked = (expected.annotations as { id: string; description: string }[]).find(({ id }) => id === opened)
    if (marked) marked.description = 'from the outbox'
    // An intent whose rows were not stored: the key of the last ingest with another first row.
    query(
      "INSERT INTO default.ingest_keys SELECT * REPLACE (concat(substring(key, 1, 8), 'ffff', substring(key, 13)) AS key, first_row + 1000000 AS first_row) FROM default.ingest_keys WHERE state = 'intent' ORDER BY written_at_ms DESC LIMIT 1",
    )
  })
}

/** The directory without what the engine makes again. */
function pack(): void {
  const name = `version-${version}${variant === 'killed' ? '-killed' : ''}`
  execFileSync('tar', [
    '--sort=name',
    '--owner=0',
    '--group=0',
    '-czf',
    join(import.meta.dirname, `${name}.tar.gz`),
    '-C',
    data,
    '.',
  ])
  writeFileSync(join(import.meta.dirname, `${name}.json`), `${JSON.stringify(expected, null, 1)}\n`)
}

try {
  await start()
  await annotate()
  await makeTokens()
  if (version >= 2) await ingest()
  if (version >= 3) await makeMonitors()
  if (version >= 4) await deploy()
  if (version >= 2) await lastIngest()
  await observe()
  await end(variant === 'killed' ? 'SIGKILL' : 'SIGTERM')
} catch (error) {
  await end('SIGKILL')
  throw error
}
if (variant === 'killed' && version === 4) leaveHalfDone()
pack()
console.log(data)
