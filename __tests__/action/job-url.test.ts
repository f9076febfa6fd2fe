import { expect, test } from '@jest/globals'
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

test('where the server does not tell the id of the job, it leads to the attempt', async () => {
  expect(await defaultUrl({}, '')).toBe('https://github.com/octo/shop/actions/runs/7001/attempts/2')
})

test('on an enterprise server it stays there', async () => {
  expect(await defaultUrl({ GITHUB_SERVER_URL: 'https://git.example.com' })).toBe(
    'https://git.example.com/octo/shop/actions/runs/7001/job/9001',
  )
})

test('a server below a path, with a trailing slash, keeps its path', async () => {
  expect(await defaultUrl({ GITHUB_SERVER_URL: 'https://example.com/git/' })).toBe(
    'https://example.com/git/octo/shop/actions/runs/7001/job/9001',
  )
})

test('a login in the address of the server is no part of the link', async () => {
  expect(await defaultUrl({ GITHUB_SERVER_URL: 'https://bob:pa55@git.example.com' })).toBe(
    'https://git.example.com/octo/shop/actions/runs/7001/job/9001',
  )
})

test('on Gitea it leads to the run, whose pages go by id', async () => {
  const env = { GITEA_ACTIONS: 'true', GITHUB_SERVER_URL: 'https://gitea.example.com' }
  expect(await defaultUrl(env, '')).toBe('https://gitea.example.com/octo/shop/actions/runs/7001')
})

test('on Forgejo it leads to the run, whose pages go by number', async () => {
  const env = { GITEA_ACTIONS: 'true', FORGEJO_ACTIONS: 'true', GITHUB_SERVER_URL: 'https://codeberg.org' }
  expect(await defaultUrl(env, '')).toBe('https://codeberg.org/octo/shop/actions/runs/12')
})

test.each(['', 'https://'])('where the server has no URL, there is no link: %j', async (GITHUB_SERVER_URL) => {
  expect(await defaultUrl({ GITHUB_SERVER_URL }, '')).toBeUndefined()
})

test('outside of CI there is no link', async () => {
  expect(await defaultUrl({ GITHUB_RUN_ID: '', GITHUB_REPOSITORY: '' })).toBeUndefined()
})

test('the link does without the event file, which may be unreadable', async () => {
  expect(await defaultUrl({ GITHUB_EVENT_PATH: new URL(import.meta.url).pathname })).toBe(JOB_URL)
})
