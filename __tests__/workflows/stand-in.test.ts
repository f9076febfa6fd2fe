/**
 * The job that runs the step against a service that it starts: its own script, with the stand-in that it has on Windows.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from '@jest/globals'
import { parse } from 'yaml'
import { readNodePath } from '../../scripts/runner.ts'
import { ofEachTest } from '../support/for-tests.ts'
import { runAction, runPost } from '../support/run-action.ts'

const { jobs } = parse(readFileSync('.github/workflows/ci.yml', 'utf8')) as {
  jobs: { step: { steps: { id?: string; run?: string }[] } }
}
const startScript = jobs.step.steps.find(({ id }) => id === 'service')?.run ?? ''

const folder = ofEachTest(() => mkdtempDisposable(join(tmpdir(), 'job-')))

/** Runs the script as a runner does, and gives its exit code, its output, what it handed on and the process it left behind. */
function start(service: string) {
  const output = join(folder.path, 'output')
  writeFileSync(output, '')
  const env = { PATH: `${dirname(readNodePath())}:${process.env.PATH}`, GITHUB_OUTPUT: output, SERVICE: service }
  const script = `${startScript}\necho "pid=$!" >> "$GITHUB_OUTPUT"`
  const { status, stdout } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
    cwd: folder.path,
    env,
    encoding: 'utf8',
  })
  const outputs = Object.fromEntries(
    readFileSync(output, 'utf8')
      .split('\n')
      .map((line) => line.split('=')),
  ) as Record<string, string>
  return { status, stdout, outputs, log: readFileSync(join(folder.path, 'service.log'), 'utf8') }
}

test('the service is started on a free port, and the step runs against it', async () => {
  const { status, outputs } = start(resolve('scripts/stand-in-service.ts'))
  expect(status).toBe(0)
  try {
    const { token = '', url = '' } = outputs
    const inputs = { token, baseUrl: url, datasets: 'ci', type: 'ci-run', endTime: 'job-end', onOutage: 'fail' }
    const span = await runAction(inputs)
    expect(span).toMatchObject({ exitCode: 0, errors: [], outputs: { outcome: 'created' } })
    const change = { token, baseUrl: url, id: span.outputs.id ?? '', description: 'changed by a second step' }
    expect(JSON.parse((await runAction(change)).outputs.annotation ?? '')).toMatchObject({
      id: span.outputs.id,
      description: 'changed by a second step',
    })
    expect(await runPost(span, inputs)).toMatchObject({ exitCode: 0, warnings: [] })
  } finally {
    process.kill(Number(outputs.pid))
  }
})

test('a service that does not start fails the job at once, and its log is there to be printed', () => {
  const broken = join(folder.path, 'broken.js')
  writeFileSync(broken, 'console.error("the disk is gone"); process.exit(1)')
  const { status, stdout, log } = start(broken)
  expect(status).toBe(1)
  expect(stdout).toContain('::error::The service did not start')
  expect(log).toContain('the disk is gone')
  expect(jobs.step.steps.at(-1)).toMatchObject({ if: 'failure()', run: 'cat service.log' })
})
