/**
 * How a job went, by the words of every CI and by exit codes. It imports nothing, because the post step reads it before it knows whether
 * there is anything to do.
 */

/**
 * What CIs, deployment tools and shells call the results, in lower case and without separators: GitHub, GitLab, Jenkins, Azure Pipelines,
 * CircleCI, Buildkite, Drone, Woodpecker, Travis, AppVeyor, Bitbucket, TeamCity, Semaphore, CodeBuild, Argo, Tekton, Bamboo, GoCD, Harness,
 * Concourse, Spinnaker and Octopus. Jenkins' UNSTABLE and Azure's partiallySucceeded are failures, as in the service's webhooks.
 */
const WORDS = {
  success:
    'success|succeeded|succeededwithissues|successful|passed|pass|ok|fixed|complete|completed|healthy|ready|deployed|unblocked|true|yes',
  failure:
    'failure|failed|fail|failing|stillfailing|waitingfailed|failedcontinue|startupfailure|infrastructurefail|infrafail|internalerror|error|errored|fault|broken|degraded|rejected|approvalrejected|unauthorized|unstable|partiallysucceeded|terminal|timedout|timingout|timeout|pipelineruntimeout|taskruntimeout|expired|false|no',
  canceled:
    'cancelled|canceled|cancelling|canceling|cancel|aborted|abort|abandoned|stopped|stopping|killed|interrupted|terminated|superseded|stale|pipelineruncancelled|taskruncancelled|cancelledrunfinally|stoppedrunfinally',
  skipped:
    'skipped|declined|notrun|notbuilt|notstarted|notexecuted|omitted|neutral|none|notests|ignored|disabled|actionrequired|manual',
} as const

const RESULTS = Object.entries(WORDS).map(([result, words]) => [result, new RegExp(`^(?:${words})$`)] as const)

/**
 * @param text a word of a CI, in any case and with any separators, or the exit code of what was run; '' where nobody says
 * @returns `success`, `failure`, `canceled` or `skipped`, perhaps with the exit code in parentheses; otherwise `ended`, with the word if
 *   it is harmless in a log
 */
export function readResult(text: string): string {
  const said = text.replace(/^[\s"']+|[\s"']+$/g, '')
  if (/^-?\d{1,10}$/.test(said)) return describeExit(Number(said))
  const word = said.toLowerCase().replace(/[^a-z]/g, '')
  const known = RESULTS.find(([, words]) => words.test(word))
  if (known && /^[a-z _-]+$/i.test(said)) return known[0]
  return said !== 'ended' && /^[a-z][\w .-]{0,39}$/i.test(said) ? `ended (${said})` : 'ended'
}

export function describeExit(exitCode: number): string {
  return `${exitCode === 0 ? 'success' : 'failure'} (exit code ${exitCode})`
}

/** @param result as it stands in the line: a word, and perhaps more about it in parentheses */
export function isFailure(result: string): boolean {
  return /^failure\b/.test(result)
}
