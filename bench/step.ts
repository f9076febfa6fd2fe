/**
 * How long the step takes as a whole process, against a bare POST in the same run. All are run in turn, over
 * HTTP and over TLS. Prints times and ratios; the ratios of the least times are what is claimed
 * (docs/decisions/0001-what-the-step-loads.md), because other processes only ever add to a time. Exits 1 where a target is missed.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { generate } from 'selfsigned'

const RUNS = 31
const WARM_UPS = 2

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'bench-step-'))

const altNames = [{ type: 7 as const, ip: '127.0.0.1' }]
const extensions = [
  { name: 'basicConstraints' as const, cA: true },
  { name: 'subjectAltName' as const, altNames },
]
const { private: key, cert } = await generate([{ name: 'commonName', value: '127.0.0.1' }], { keySize: 2048, extensions })
const certificate = write('certificate.pem', cert)

/** Services that agree to everything, off this thread, which waits for the processes. */
const server = new Worker(
  `const { parentPort, workerData } = require('node:worker_threads')
   const answer = (request, response) => {
     request.resume().on('end', () => {
       response.writeHead(201, { 'content-type': 'application/json' })
       response.end('{"id":"ann_1","datasets":["web"],"type":"deploy","time":"2026-01-01T00:00:00Z"}')
     })
   }
   const servers = [require('node:http').createServer(answer), require('node:https').createServer(workerData, answer)]
   Promise.all(servers.map((one) => new Promise((resolve) => {
     one.listen(0, '127.0.0.1', () => resolve(one.address().port))
   }))).then((ports) => parentPort.postMessage(ports))`,
  { eval: true, workerData: { key, cert } },
)
const ports = await new Promise<number[]>((resolve) => server.once('message', resolve))

const bare = (scheme: string, port: number | undefined) =>
  write(
    `${scheme}.cjs`,
    `require('node:${scheme}').request({ host: '127.0.0.1', port: ${port}, method: 'POST', path: '/v2/annotations' }, (reply) => reply.resume()).end('{}')\n`,
  )
const step = join(root, 'dist/index.js')

interface Case {
  name: string
  /** What is loaded, the file that is run first. */
  files: string[]
  baseUrl?: string
  /** How many times the least time of another case it may take. */
  target?: { of: number; ratioMax: number }
}

const [http, https] = [`http://127.0.0.1:${ports[0]}`, `https://127.0.0.1:${ports[1]}`]
const cases: Case[] = [
  { name: 'Node and an empty file', files: [write('empty.cjs', '')] },
  { name: 'the post step with nothing to do', files: [join(root, 'dist/post/index.js')], target: { of: 0, ratioMax: 1.1 } },
  { name: 'a POST with node:http alone', files: [bare('http', ports[0])] },
  { name: 'the step', files: [step], baseUrl: http, target: { of: 2, ratioMax: 1.25 } },
  { name: 'a POST with node:https alone', files: [bare('https', ports[1])] },
  { name: 'the step, over TLS', files: [step], baseUrl: https, target: { of: 4, ratioMax: 1.25 } },
]
/** Each is told against the bare request over the same kind of connection. */
const BARE = [2, 2, 2, 2, 4, 4]
const env = {
  PATH: process.env.PATH ?? '',
  NODE_EXTRA_CA_CERTS: certificate,
  INPUT_TOKEN: 'bench-token',
  INPUT_DATASETS: 'web',
  INPUT_TYPE: 'deploy',
  GITHUB_REPOSITORY: 'octo/shop',
  GITHUB_RUN_ID: '1',
}

try {
  const times = cases.map((): number[] => [])
  for (let round = -WARM_UPS; round < RUNS; round++) {
    for (const [index, one] of cases.entries()) {
      const ms = measure(one)
      if (round >= 0) times[index]?.push(ms)
    }
  }
  report(times.map((all) => all.sort((a, b) => a - b)))
} finally {
  rmSync(folder, { recursive: true })
  await server.terminate()
}

function measure({ files: [file = ''], baseUrl = '' }: Case): number {
  const startedAt = performance.now()
  const { status, stderr } = spawnSync(process.execPath, [file], { env: { ...env, INPUT_BASEURL: baseUrl }, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${file} ended with ${status}: ${stderr}`)
  return performance.now() - startedAt
}

/** @param times of each case, sorted */
function report(times: readonly number[][]): void {
  const least = (index: number) => times[index]?.[0] ?? Number.NaN
  const median = (index: number) => times[index]?.[RUNS >> 1] ?? Number.NaN
  console.log('| | least, ms | median, ms | × bare, least | × bare, median | kB |\n|---|---|---|---|---|---|')
  cases.forEach(({ name, files }, index) => {
    const bareIndex = BARE[index] ?? index
    const ratios = [least(index) / least(bareIndex), median(index) / median(bareIndex)].map((ratio) => ratio.toFixed(2))
    const kilobytes = Math.round(files.map((file) => statSync(file).size).reduce((sum, size) => sum + size) / 1_000)
    console.log(`| ${name} | ${least(index).toFixed(0)} | ${median(index).toFixed(0)} | ${ratios.join(' | ')} | ${kilobytes} |`)
  })
  cases.forEach(({ name, target }, index) => {
    if (!target) return
    const ratio = least(index) / least(target.of)
    const isMet = ratio <= target.ratioMax
    console.log(`${isMet ? 'ok  ' : 'MISS'} ${name}: ${ratio.toFixed(2)} × ${cases[target.of]?.name} (target ${target.ratioMax})`)
    if (!isMet) process.exitCode = 1
  })
}

function write(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}
