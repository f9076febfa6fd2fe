/**
 * The result of the job so far, for each CI that gives it to the last commands of the job. Nothing is guessed: without such a variable a
 * span has `ended`, which is not a success.
 */
const BY_EXIT_CODE = ['BITBUCKET_EXIT_CODE', 'BUILDKITE_COMMAND_EXIT_STATUS', 'TRAVIS_TEST_RESULT']
const BY_WORD = ['AGENT_JOBSTATUS', 'CI_JOB_STATUS', 'CI_PIPELINE_STATUS', 'DRONE_BUILD_STATUS', 'SEMAPHORE_JOB_RESULT']
/** CodeBuild's variable is a boolean, not an exit code. */
const TRUTHS: Readonly<Record<string, string>> = { '0': 'failure', '1': 'success' }

/** @returns a word or an exit code as the CI says it; '' if it does not */
export function readJobResult(env: NodeJS.ProcessEnv): string {
  const word = BY_WORD.map((name) => env[name]).find((value) => value && value !== 'running')
  return (
    word ?? TRUTHS[env.CODEBUILD_BUILD_SUCCEEDING ?? ''] ?? BY_EXIT_CODE.map((name) => env[name]).find((value) => value) ?? ''
  )
}
