/**
 * The link to the running job, for each CI whose variables say more about it than env-ci reads, by env-ci's name of the CI. Each CI
 * documents these variables for its jobs. If one is not set, env-ci's own link is used.
 */
import { buildJobUrl } from '@deployment-annotations/inputs/job-url'

/** @returns the text; `undefined` if a variable that it needs is not set */
function fill(parts: TemplateStringsArray, ...values: (string | undefined)[]): string | undefined {
  return values.some((value) => !value) ? undefined : String.raw({ raw: parts }, ...values)
}

export const JOB_LINKS: Readonly<Record<string, (env: NodeJS.ProcessEnv) => string | undefined>> = {
  appveyor: (env) =>
    fill`${env.APPVEYOR_URL}/project/${env.APPVEYOR_ACCOUNT_NAME}/${env.APPVEYOR_PROJECT_SLUG}/builds/${env.APPVEYOR_BUILD_ID}/job/${env.APPVEYOR_JOB_ID}`,
  azurePipelines: (env) => {
    const project = env.SYSTEM_TEAMPROJECT && encodeURIComponent(env.SYSTEM_TEAMPROJECT)
    const build = fill`${env.SYSTEM_TEAMFOUNDATIONCOLLECTIONURI}${project}/_build/results?buildId=${env.BUILD_BUILDID}`
    // A classic release runs beside the build that it deploys.
    return env.RELEASE_RELEASEWEBURL || (fill`${build}&view=logs&j=${env.SYSTEM_JOBID}` ?? build)
  },
  bitbucket: (env) => {
    const build = fill`https://bitbucket.org/${env.BITBUCKET_REPO_FULL_NAME}/pipelines/results/${env.BITBUCKET_BUILD_NUMBER}`
    return fill`${build}/steps/${env.BITBUCKET_STEP_UUID && encodeURIComponent(env.BITBUCKET_STEP_UUID)}` ?? build
  },
  buildkite: (env) => fill`${env.BUILDKITE_BUILD_URL}#${env.BUILDKITE_JOB_ID}`,
  drone: (env) => fill`${env.DRONE_BUILD_LINK}/${env.DRONE_STAGE_NUMBER}/${env.DRONE_STEP_NUMBER}`,
  github: (env) => buildJobUrl(env),
  jenkins: (env) => env.RUN_DISPLAY_URL,
  semaphore: (env) => fill`${env.SEMAPHORE_ORGANIZATION_URL}/jobs/${env.SEMAPHORE_JOB_ID}`,
  teamcity: (env) => env.BUILD_URL,
}
