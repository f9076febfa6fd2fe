/**
 * `node .ci/clients/run.ts [--write] [suite…]`: runs clients and shippers of others, unmodified, against the real service, and prints what
 * became of each; with `--write` into the list of docs/compatibility.md too, where they passed. A suite is an executable file beside this one. It gets a service of its own in AXIOM_URL and AXIOM_TOKEN, and a folder that is
 * kept for what it installs; it says what was found in the last line that it prints, and is skipped when it ends with status 77.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { startService } from '../../__tests__/support/service.ts'

const HERE = import.meta.dirname
const KEPT = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'deployment-annotations', 'clients')
const SKIPPED = 77
/** May do everything. Some clients take none but those that begin like an API token. */
const TOKEN = 'xaat-0123456789abcdef0123456789abcdef'
/** What is installed the first time takes most of it. */
const SUITE_MS_MAX = Number(process.env.SUITE_SECONDS ?? 900) * 1_000

const all = readdirSync(HERE).filter((name) => isSuite(join(HERE, name)))
const asked = process.argv.slice(2).filter((name) => name !== '--write')
const unknown = asked.filter((name) => !all.includes(name))
if (unknown.length > 0) throw new Error(`there is no suite ${unknown.join(', ')}; there are ${all.join(', ')}`)

const results: { suite: string; outcome: string; found: string }[] = []
for (const suite of asked.length > 0 ? asked : all) {
  results.push({ suite, ...(await run(suite)) })
}
if (results.some(({ outcome }) => outcome === 'failed')) process.exitCode = 1
const width = Math.max(...results.map(({ suite }) => suite.length))
console.log(`\n${'suite'.padEnd(width)}  result`)
for (const { suite, outcome, found } of results) console.log(`${suite.padEnd(width)}  ${outcome}: ${found}`)
if (process.argv.includes('--write')) write()

async function run(suite: string): Promise<{ outcome: string; found: string }> {
  console.log(`\n== ${suite}`)
  const folder = join(KEPT, suite)
  mkdirSync(folder, { recursive: true })
  await using service = await startService({ token: TOKEN })
  const child = spawn(join(HERE, suite), {
    cwd: folder,
    env: {
      ...process.env,
      SUPPORT: join(HERE, 'support'),
      AXIOM_URL: service.url,
      AXIOM_TOKEN: service.token,
      AXIOM_ORG_ID: 'any',
      SERVICE_PID: String(service.pid),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    // So that all that it started can be ended with it.
    detached: true,
  })
  let last = ''
  child.stdout.on('data', (chunk: Buffer) => {
    process.stdout.write(chunk)
    last = `${last}${chunk}`.slice(-1_000)
  })
  const timer = setTimeout(() => child.pid && process.kill(-child.pid, 'SIGKILL'), SUITE_MS_MAX)
  const [code] = (await once(child, 'close')) as [number | null]
  clearTimeout(timer)
  const found = code === null ? `not done after ${SUITE_MS_MAX / 1_000} s` : (last.trimEnd().split('\n').at(-1) ?? '')
  return { outcome: code === 0 ? 'passed' : code === SKIPPED ? 'skipped' : 'failed', found }
}

/** Puts what the suites that passed have found into their lines, and leaves the others as they are. */
function write(): void {
  const page = join(HERE, '../../docs/compatibility.md')
  const text = readFileSync(page, 'utf8')
  const marked = /(?<=<!-- clients -->\n)[\s\S]*(?=<!-- \/clients -->)/
  const [list] = marked.exec(text) ?? []
  if (list === undefined) throw new Error('docs/compatibility.md has no marks of the list')
  const lines = new Map([...list.matchAll(/^\S+ (?<suite>[^:]+): .*$/gm)].map((line) => [line.groups?.suite ?? '', line[0]]))
  const day = new Date().toISOString().slice(0, 10)
  for (const { suite, outcome, found } of results) if (outcome === 'passed') lines.set(suite, `${day} ${suite}: ${found}`)
  const written = all.flatMap((suite) => lines.get(suite) ?? []).join('\n')
  writeFileSync(
    page,
    text.replace(marked, () => `\n\`\`\`\n${written}\n\`\`\`\n\n`),
  )
}

function isSuite(path: string): boolean {
  if (!statSync(path).isFile() || path.endsWith('.ts')) return false
  accessSync(path, constants.X_OK)
  return true
}
