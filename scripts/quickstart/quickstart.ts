/**
 * `npm start`: the whole thing at work on this machine, without an account. Starts the service, runs the step and its post step as a
 * runner would, and leaves the dashboard up, where a made-up shop keeps sending. Without the dashboard nothing is made up: once the shop
 * stopped sending, the service would say that its traffic is gone.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, createClient } from '@deployment-annotations/client'
import { program } from 'commander'
import { readNodePath, runStep } from '../runner.ts'
import { startExample } from './example-data.ts'

/** How long the deployment of the example takes, so that its span has a length. */
const DEPLOY_MS = 1_500
/** How often the made-up shop sends. */
const SEND_MS = 5_000

/** How many annotations of earlier runs are listed. */
const LISTED_MAX = 10

const JOB_ENV = {
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_REPOSITORY: 'octo-org/payments',
  GITHUB_RUN_ID: '1',
  GITHUB_RUN_NUMBER: '1',
  GITHUB_RUN_ATTEMPT: '1',
}

program
  .name('npm start --')
  .description('Creates the annotation of an example deployment on the embedded service and shows the result.')
  .option('--data <folder>', 'where the service keeps its data', '.data/example')
  .option('--keep', 'leave the service and its dashboard up until Ctrl-C (the default in a terminal)')
  .option('--no-keep', 'end when the step has ended (the default elsewhere)')
  .parse()
const { data, keep = process.stdout.isTTY === true } = program.opts<{ data: string; keep?: boolean }>()

const token = randomBytes(24).toString('base64url')
/** Once it is up, Ctrl-C ends it; before that, Ctrl-C aborts it. */
let isUp = false
const { service, url } = await startService()
try {
  await using client = createClient({ token, baseUrl: url })
  const sendUntil = keep ? await startExample(client, Date.now()) : undefined
  await sendUntil?.(Date.now())
  if (sendUntil) console.log('A made-up shop sends example events, the last three hours first.\n')
  await markDeployment()
  await showAnnotations(client)
  if (keep) {
    console.log(`\nThe dashboard, until Ctrl-C: ${url}/#token=${token}`)
    console.log(`Try: curl -H 'Authorization: Bearer ${token}' ${url}/v2/annotations`)
    isUp = true
    while (service.exitCode === null && service.signalCode === null) {
      await sendUntil?.(Date.now()).catch((error: unknown) => console.error(`The example could not send: ${error}`))
      await sleep(SEND_MS)
    }
  }
} finally {
  await stopService()
}

async function startService(): Promise<{ service: ChildProcess; url: string }> {
  const args = [join(import.meta.dirname, '../../packages/service/bin/annotation-service.cjs'), '--port', '0', '--data', data]
  const child = spawn(readNodePath(), args, {
    env: { ...process.env, ANNOTATION_SERVICE_TOKEN: token },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // Left alone, the service would keep the data folder. Ctrl-C may have reached it as well, and it takes two signals at once for one.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      child.once('close', () => process.exit(isUp ? 0 : 1))
      child.kill('SIGTERM')
    })
  }
  // The service's log is kept quiet here; what it says before the service is ready explains why it does not start.
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-10_000)
  })
  for await (const line of createInterface(child.stdout)) {
    const address = /^annotation service \S+ ready at (\S+)$/.exec(line)?.[1]
    if (address === undefined) continue
    console.log(`Service: ${address}, data in ${data}\n`)
    return { service: child, url: address }
  }
  process.stderr.write(said)
  process.exit(1)
}

async function stopService(): Promise<void> {
  if (service.exitCode !== null || service.signalCode !== null) return
  service.kill('SIGTERM')
  await once(service, 'close')
}

async function markDeployment(): Promise<void> {
  const inputs = {
    token,
    baseUrl: url,
    datasets: 'payments',
    type: 'production-deploy',
    title: 'Payments 2.7.0',
    endTime: 'job-end',
  }
  const options = { inputs, env: JOB_ENV, job: { checkRunId: '1', status: 'success' }, onLog: printLog }
  console.log('The step, dist/index.js:')
  const main = await runStep({ ...options, phase: 'main' })
  if (main.exitCode !== 0) throw new Error(`the step ended with ${main.exitCode}: ${main.stderr}`)
  await sleep(DEPLOY_MS)
  console.log('Its post step, when the job ends:')
  const post = await runStep({ ...options, phase: 'post', state: main.state })
  if (post.exitCode !== 0) throw new Error(`the post step ended with ${post.exitCode}: ${post.stderr}`)
  console.log(`\nid: ${main.outputs.id}`)
}

/** As a runner shows it: commands such as `::add-mask::` are acted on, not printed. */
function printLog(text: string): void {
  for (const line of text.split('\n')) if (line !== '' && !line.startsWith('::add-mask::')) console.log(`  ${line}`)
}

async function showAnnotations(client: Client): Promise<void> {
  const annotations = await client.annotations.list()
  console.log(`\nAnnotations in the service: ${annotations.length}, the latest last:`)
  for (const { id, time, title } of annotations.slice(-LISTED_MAX, -1)) console.log(`  ${time}  ${id}  ${title ?? ''}`)
  console.log(JSON.stringify(annotations.at(-1), undefined, 2))
}
