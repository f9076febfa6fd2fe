import { expect, test } from '@jest/globals'
import { readYaml } from '../support/read-yaml.ts'
import { JOB_URL, runAction } from '../support/run-action.ts'

/** @returns the URL that a dry run would send */
async function defaultUrl(env: Record<string, string>, checkRunId = '9001'): Promise<unknown> {
  const run = await runAction({ datasets: 'web', type: 'deploy', dryRun: 'true' }, { env, job: { checkRunId } })
  expect(run.exitCode).toBe(0)
  return JSON.parse(run.log.join('').replace(/^.*? with /, '')).url
}

test('the link leads to the job', async () => {
  expect(await defaultUrl({})).toBe(JOB_URL)
})

interface Case {
  name: string
  env?: Record<string, string>
  checkRunId?: string
  url?: string
}
test.each(readYaml<Case[]>(import.meta.url, 'job-urls.yaml'))('$name', async ({ env = {}, checkRunId, url }) => {
  expect(await defaultUrl(env, checkRunId)).toBe(url)
})

test('the link does without the event file, which may be unreadable', async () => {
  expect(await defaultUrl({ GITHUB_EVENT_PATH: new URL(import.meta.url).pathname })).toBe(JOB_URL)
})
