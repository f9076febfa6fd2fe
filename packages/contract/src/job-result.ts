/**
 * How a job or a deployment went, by the words of every CI and platform. It imports nothing, because the post step reads it before it knows
 * whether there is anything to do.
 */

/**
 * What CIs, deployment tools and shells call the results, in lower case and without separators: GitHub, GitLab, Jenkins, Azure Pipelines,
 * CircleCI, Buildkite, Drone, Woodpecker, Travis, AppVeyor, Bitbucket, TeamCity, Semaphore, CodeBuild, Argo, Tekton, Bamboo, GoCD, Harness,
 * Concourse, Spinnaker and Octopus. Jenkins' UNSTABLE and Azure's partiallySucceeded are failures.
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

const RESULTS = Object.entries(WORDS).map(([result, words]) => [result as JobResult, new RegExp(`^(?:${words})$`)] as const)

/** The word with which the line begins that closes a span: {@link readResult} of release.ts reads it back. */
export type JobResult = keyof typeof WORDS

/** @param text a word of a CI, in any case and with any separators @returns `undefined` if it is none of them */
export function jobResultOf(text: string): JobResult | undefined {
  const word = text.toLowerCase().replace(/[^a-z]/g, '')
  return RESULTS.find(([, words]) => words.test(word))?.[0]
}
