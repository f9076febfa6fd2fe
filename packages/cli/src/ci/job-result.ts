/**
 * How the job has gone so far, on each CI that tells it to what runs at the job's end. Nothing is guessed: where no variable says
 * so, a span has `ended`, and has not succeeded.
 */
const BY_EXIT_CODE = ['BITBUCKET_EXIT_CODE', 'BUILDKITE_COMMAND_EXIT_STATUS', 'TRAVIS_TEST_RESULT']
const BY_WORD = ['AGENT_JOBSTATUS', 'CI_JOB_STATUS', 'CI_PIPELINE_STATUS', 'DRONE_BUILD_STATUS', 'SEMAPHORE_JOB_RESULT']
/** CodeBuild's is a truth. */
const TRUTHS: Readonly<Record<string, string>> = { '0': 'failure', '1': 'success' }

/** @returns a word or an exit code as the CI says it; '' if it does not */
export function readJobResult(env: NodeJS.ProcessEnv): string {
  const word = BY_WORD.map((name) => env[name]).find((value) => value && value !== 'running')
  return (
    word ?? TRUTHS[env.CODEBUILD_BUILD_SUCCEEDING ?? ''] ?? BY_EXIT_CODE.map((name) => env[name]).find((value) => value) ?? ''
  )
}
