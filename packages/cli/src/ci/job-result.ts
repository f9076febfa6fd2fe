/**
 * How the job has gone so far, on each CI that tells it to what runs at the job's end. Nothing is guessed: where no variable says
 * so, a span has `ended`, and has not succeeded.
 */
const BY_EXIT_CODE = ['BITBUCKET_EXIT_CODE', 'BUILDKITE_COMMAND_EXIT_STATUS', 'TRAVIS_TEST_RESULT']
const BY_WORD = ['AGENT_JOBSTATUS', 'CI_JOB_STATUS', 'DRONE_BUILD_STATUS', 'SEMAPHORE_JOB_RESULT']

/** What CIs call the three results. */
const WORDS: Readonly<Record<string, string>> = {
  passed: 'success',
  succeeded: 'success',
  failed: 'failure',
  canceled: 'cancelled',
  stopped: 'cancelled',
}

/** @returns a word or an exit code as the CI says it; '' if it does not */
export function readJobResult(env: NodeJS.ProcessEnv): string {
  const word = BY_WORD.map((name) => env[name]).find((value) => value && value !== 'running')
  return word ?? BY_EXIT_CODE.map((name) => env[name]).find((value) => value) ?? ''
}

/**
 * @param text a word, or the exit code of what was run
 * @returns the result as the step has it; `undefined` if the text is neither
 */
export function parseResult(text: string): string | undefined {
  if (text === '') return 'ended'
  if (/^\d{1,10}$/.test(text)) return describeExit(Number(text))
  const word = text.toLowerCase()
  return /^[a-z]{1,40}$/.test(word) ? (WORDS[word] ?? word) : undefined
}

export function describeExit(exitCode: number): string {
  return `${exitCode === 0 ? 'success' : 'failure'} (exit code ${exitCode})`
}

/** @returns whether it is known not to have arrived */
export function hasFailed(result: string): boolean {
  return /^(?:failure|cancelled)\b/.test(result)
}
