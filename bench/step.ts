/**
 * How long the step takes as a whole process, against a bare POST in the same run: `npm run bench:step`.
 * Prints medians and ratios; the ratios are what is claimed (docs/decisions/0001-what-the-step-loads.md).
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import ncc from '@vercel/ncc'

const RUNS = 15
const WARM_UPS = 2

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'bench-step-'))

/** A service that agrees to everything, off this thread, which waits for the processes. */
const server = new Worker(
  `const { createServer } = require('node:http')
   const { parentPort } = require('node:worker_threads')
   createServer((request, response) => {
     request.resume().on('end', () => {
       response.writeHead(201, { 'content-type': 'application/json' })
       response.end('{"id":"ann_1","datasets":["web"],"type":"deploy","time":"2026-01-01T00:00:00Z"}')
     })
   }).listen(0, '127.0.0.1', function () { parentPort.postMessage(this.address().port) })`,
  { eval: true },
)
const port = await new Promise<number>((resolve) => server.once('message', resolve))

const bare = write(
  'bare.cjs',
  `require('node:http').request({ host: '127.0.0.1', port: ${port}, method: 'POST', path: '/v2/annotations' }, (reply) => reply.resume()).end('{}')\n`,
)
const whole = await bundle(
  `import * as core from '@actions/core'\nimport { context } from '@actions/github'\nimport { request } from 'undici'
   core.getInput('type')\nString(context.serverUrl);\n(await request('http://127.0.0.1:${port}/', { method: 'POST', body: '{}' })).body.dump()\n`,
)

/** What is run, and the files that it loads, the one that is run first. */
const cases: [string, string[]][] = [
  ['POST with node:http alone', [bare]],
  ['the step', [join(root, 'dist/index.js'), join(root, 'dist/undici.js')]],
  ['the post step with nothing to do', [join(root, 'dist/post/index.js')]],
  ['toolkit, its GitHub package and undici whole, one POST', [whole]],
]
const env = {
  PATH: process.env.PATH ?? '',
  INPUT_TOKEN: 'bench-token',
  INPUT_DATASETS: 'web',
  INPUT_TYPE: 'deploy',
  INPUT_BASEURL: `http://127.0.0.1:${port}`,
  GITHUB_REPOSITORY: 'octo/shop',
  GITHUB_RUN_ID: '1',
}

try {
  const times = cases.map((): number[] => [])
  for (let round = -WARM_UPS; round < RUNS; round++) {
    cases.forEach(([, [file = '']], index) => {
      const startedAt = performance.now()
      const { status, stderr } = spawnSync(process.execPath, [file], { env, encoding: 'utf8' })
      if (status !== 0) throw new Error(`${file} ended with ${status}: ${stderr}`)
      if (round >= 0) times[index]?.push(performance.now() - startedAt)
    })
  }
  const medians = times.map((all) => all.sort((a, b) => a - b)[RUNS >> 1] ?? Number.NaN)
  console.log('| | ms | ratio | kB |\n|---|---|---|---|')
  cases.forEach(([name, files], index) => {
    const ms = medians[index] ?? Number.NaN
    const bytes = files.map((file) => statSync(file).size).reduce((sum, size) => sum + size)
    console.log(`| ${name} | ${ms.toFixed(0)} | ${(ms / (medians[0] ?? 1)).toFixed(2)} | ${Math.round(bytes / 1_000)} |`)
  })
} finally {
  rmSync(folder, { recursive: true })
  await server.terminate()
}

function write(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

/** Bundled from within the checkout, so that its packages are found. */
async function bundle(source: string): Promise<string> {
  const entry = join(root, 'lib/bench-whole.js')
  writeFileSync(entry, source)
  const { code } = await ncc(entry, { cache: false, externals: {}, license: '', quiet: true })
  rmSync(entry)
  return write('whole.mjs', code)
}
