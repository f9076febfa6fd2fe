/**
 * What each CI sets for a job, by its documentation, and what an annotation made there gets of it.
 */
const COMMIT = '1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d'

export interface Ci {
  /** The page of docs/recipes/, and its section where it has several. */
  page: string
  env: Readonly<Record<string, string>>
  /** What the CI itself puts in place of `${…}` before a shell sees the line. */
  values?: Readonly<Record<string, string>>
  url?: string
  title?: string
  /** How the spans of the page end. */
  results: readonly RegExp[]
}

const RAN = /^success \(exit code 0\) after \d/

export const CIS: readonly Ci[] = [
  {
    page: 'gitlab.md',
    env: {
      CI: 'true',
      GITLAB_CI: 'true',
      CI_COMMIT_SHA: COMMIT,
      CI_COMMIT_REF_NAME: 'main',
      CI_PROJECT_PATH: 'group/shop',
      CI_PROJECT_URL: 'https://gitlab.example.com/group/shop',
      CI_JOB_ID: '77',
      CI_JOB_URL: 'https://gitlab.example.com/group/shop/-/jobs/77',
      CI_PIPELINE_ID: '7',
      CI_JOB_STATUS: 'failed',
    },
    url: 'https://gitlab.example.com/group/shop/-/jobs/77',
    title: 'shop@1a2b3c4 (main)',
    results: [RAN, /^failure after/],
  },
  ...[
    ['SUCCESS', /^success after/] as const,
    ['FAILURE', /^failure after/] as const,
    // Whoever aborts a build knows that it has not failed.
    ['ABORTED', /^(?:aborted|canceled) after/] as const,
    ['UNSTABLE', /^failure after/] as const,
  ].map(([result, ended]) => ({
    page: 'jenkins.md',
    values: { 'currentBuild.currentResult': result },
    env: {
      JENKINS_URL: 'https://jenkins.example.com/',
      BUILD_NUMBER: '12',
      BUILD_URL: 'https://jenkins.example.com/job/shop/12/',
      GIT_COMMIT: COMMIT,
      GIT_BRANCH: 'origin/main',
      GIT_URL: 'git@git.example.com:acme/shop.git',
    },
    url: 'https://jenkins.example.com/job/shop/12/',
    title: 'shop@1a2b3c4 (main)',
    results: [RAN, ended],
  })),
  {
    page: 'buildkite.md',
    env: {
      CI: 'true',
      BUILDKITE: 'true',
      BUILDKITE_BUILD_NUMBER: '12',
      BUILDKITE_BUILD_URL: 'https://buildkite.com/acme/shop/builds/12',
      BUILDKITE_JOB_ID: '0190046e-e199-453b-a302-a21a4d649d31',
      BUILDKITE_COMMIT: COMMIT,
      BUILDKITE_BRANCH: 'main',
      BUILDKITE_TAG: '',
      BUILDKITE_REPO: 'git@github.com:acme/shop.git',
      BUILDKITE_PULL_REQUEST: 'false',
      BUILDKITE_STEP_KEY: 'deploy',
      BUILDKITE_COMMAND_EXIT_STATUS: '1',
    },
    url: 'https://buildkite.com/acme/shop/builds/12#0190046e-e199-453b-a302-a21a4d649d31',
    title: 'shop@1a2b3c4 (main)',
    results: [RAN, /^failure \(exit code 1\) after/],
  },
  // Another job of the same pipeline runs the same hooks.
  { page: 'buildkite.md', env: { BUILDKITE: 'true', BUILDKITE_STEP_KEY: 'test' }, results: [RAN] },
  {
    page: 'circleci.md',
    env: {
      CI: 'true',
      CIRCLECI: 'true',
      CIRCLE_BUILD_NUM: '12',
      CIRCLE_BUILD_URL: 'https://circleci.com/gh/acme/shop/12',
      CIRCLE_NODE_INDEX: '0',
      CIRCLE_SHA1: COMMIT,
      CIRCLE_TAG: 'v1.2.0',
      CIRCLE_PROJECT_USERNAME: 'acme',
      CIRCLE_PROJECT_REPONAME: 'shop',
    },
    url: 'https://circleci.com/gh/acme/shop/12',
    title: 'shop@v1.2.0',
    results: [RAN, /^success after/],
  },
  {
    page: 'azure.md',
    env: {
      TF_BUILD: 'True',
      BUILD_BUILDURI: 'vstfs:///Build/Build/430',
      BUILD_BUILDID: '430',
      BUILD_BUILDNUMBER: '20260131.1',
      BUILD_SOURCEVERSION: COMMIT,
      BUILD_SOURCEBRANCH: 'refs/heads/main',
      BUILD_REPOSITORY_NAME: 'shop',
      SYSTEM_TEAMFOUNDATIONCOLLECTIONURI: 'https://dev.azure.com/acme/',
      SYSTEM_TEAMPROJECT: 'Web Shop',
      SYSTEM_JOBID: '12f1170f-54f2-53f3-20dd-22fc7dff55f9',
      AGENT_JOBSTATUS: 'Succeeded',
    },
    url: 'https://dev.azure.com/acme/Web%20Shop/_build/results?buildId=430&view=logs&j=12f1170f-54f2-53f3-20dd-22fc7dff55f9',
    title: 'shop@1a2b3c4 (main)',
    results: [RAN, /^success after/],
  },
  {
    page: 'bitbucket.md',
    env: {
      CI: 'true',
      BITBUCKET_BUILD_NUMBER: '12',
      BITBUCKET_STEP_UUID: '{c0ffee00-0000-4000-8000-000000000000}',
      BITBUCKET_REPO_FULL_NAME: 'acme/shop',
      BITBUCKET_COMMIT: COMMIT,
      BITBUCKET_BRANCH: 'main',
      BITBUCKET_EXIT_CODE: '0',
    },
    url: 'https://bitbucket.org/acme/shop/pipelines/results/12/steps/%7Bc0ffee00-0000-4000-8000-000000000000%7D',
    title: 'shop@1a2b3c4 (main)',
    results: [RAN, /^success \(exit code 0\) after/],
  },
  {
    page: 'teamcity.md',
    env: {
      TEAMCITY_VERSION: '2025.11',
      BUILD_NUMBER: '12',
      BUILD_URL: 'https://teamcity.example.com/build/1234',
      BUILD_VCS_NUMBER: COMMIT,
      TEAMCITY_PROJECT_NAME: 'Shop',
      TEAMCITY_BUILDCONF_NAME: 'Deploy',
    },
    url: 'https://teamcity.example.com/build/1234',
    title: 'Shop@1a2b3c4',
    results: [RAN, /^ended after/],
  },
  {
    page: 'drone-woodpecker.md#Drone',
    env: {
      CI: 'true',
      DRONE: 'true',
      DRONE_BUILD_NUMBER: '12',
      DRONE_BUILD_LINK: 'https://drone.example.com/acme/shop/12',
      DRONE_STAGE_NUMBER: '1',
      DRONE_STEP_NUMBER: '2',
      DRONE_COMMIT_SHA: COMMIT,
      DRONE_BRANCH: 'main',
      DRONE_REPO: 'acme/shop',
      DRONE_REPO_OWNER: 'acme',
      DRONE_REPO_NAME: 'shop',
    },
    url: 'https://drone.example.com/acme/shop/12/1/2',
    title: 'shop@1a2b3c4 (main)',
    results: [RAN],
  },
  {
    page: 'drone-woodpecker.md#Woodpecker',
    env: {
      CI: 'woodpecker',
      CI_COMMIT_SHA: COMMIT,
      CI_COMMIT_BRANCH: 'main',
      CI_PIPELINE_NUMBER: '12',
      CI_PIPELINE_EVENT: 'push',
      CI_PIPELINE_URL: 'https://ci.example.com/repos/7/pipeline/12',
      CI_STEP_URL: 'https://ci.example.com/repos/7/pipeline/12/2',
      CI_REPO: 'acme/shop',
      CI_REPO_OWNER: 'acme',
      CI_REPO_NAME: 'shop',
    },
    url: 'https://ci.example.com/repos/7/pipeline/12/2',
    title: 'shop@1a2b3c4 (main)',
    results: [RAN],
  },
  {
    page: 'appveyor-travis-semaphore.md#AppVeyor',
    env: {
      CI: 'True',
      APPVEYOR: 'True',
      APPVEYOR_URL: 'https://ci.appveyor.com',
      APPVEYOR_ACCOUNT_NAME: 'acme',
      APPVEYOR_PROJECT_SLUG: 'shop',
      APPVEYOR_BUILD_ID: '16428432',
      APPVEYOR_BUILD_VERSION: '1.0.7',
      APPVEYOR_JOB_ID: 'v8xadmxjx5ys0fhw',
      APPVEYOR_REPO_COMMIT: COMMIT,
      APPVEYOR_REPO_BRANCH: 'main',
      APPVEYOR_REPO_NAME: 'acme/shop',
    },
    url: 'https://ci.appveyor.com/project/acme/shop/builds/16428432/job/v8xadmxjx5ys0fhw',
    title: 'shop@1a2b3c4 (main)',
    results: [RAN],
  },
  {
    page: 'appveyor-travis-semaphore.md#Travis',
    env: {
      CI: 'true',
      TRAVIS: 'true',
      TRAVIS_COMMIT: COMMIT,
      TRAVIS_BRANCH: 'main',
      TRAVIS_TAG: '',
      TRAVIS_PULL_REQUEST: 'false',
      TRAVIS_REPO_SLUG: 'acme/shop',
      TRAVIS_BUILD_WEB_URL: 'https://app.travis-ci.com/acme/shop/builds/12',
      TRAVIS_JOB_WEB_URL: 'https://app.travis-ci.com/acme/shop/jobs/13',
    },
    url: 'https://app.travis-ci.com/acme/shop/jobs/13',
    title: 'shop@1a2b3c4 (main)',
    results: [RAN],
  },
  {
    page: 'appveyor-travis-semaphore.md#Semaphore',
    env: {
      CI: 'true',
      SEMAPHORE: 'true',
      SEMAPHORE_ORGANIZATION_URL: 'https://acme.semaphoreci.com',
      SEMAPHORE_JOB_ID: 'a26d42cf-89ac-4c3f-9e2d-51bb231897bf',
      SEMAPHORE_GIT_SHA: COMMIT,
      SEMAPHORE_GIT_BRANCH: 'main',
      SEMAPHORE_GIT_REPO_SLUG: 'acme/shop',
      SEMAPHORE_JOB_RESULT: 'passed',
    },
    url: 'https://acme.semaphoreci.com/jobs/a26d42cf-89ac-4c3f-9e2d-51bb231897bf',
    title: 'shop@1a2b3c4 (main)',
    results: [/^success after/],
  },
  { page: 'argo-cd-flux-terraform.md', env: {}, results: [RAN] },
  { page: 'shell.md', env: {}, results: [RAN, /^success \(exit code 0\) after/, RAN] },
]

/** CIs whose recipes are workflows of the step; the command knows their jobs, too. */
export const WORKFLOW_RUNNERS: readonly { name: string; env: Readonly<Record<string, string>>; url: string }[] = [
  { name: 'github.com', env: {}, url: 'https://git.example.com/octo/shop/actions/runs/7001/attempts/2' },
  { name: 'Gitea', env: { GITEA_ACTIONS: 'true' }, url: 'https://git.example.com/octo/shop/actions/runs/7001' },
  { name: 'Forgejo', env: { FORGEJO_ACTIONS: 'true' }, url: 'https://git.example.com/octo/shop/actions/runs/12' },
].map(({ name, env, url }) => ({
  name,
  url,
  env: {
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_SERVER_URL: 'https://git.example.com',
    GITHUB_REPOSITORY: 'octo/shop',
    GITHUB_RUN_ID: '7001',
    GITHUB_RUN_NUMBER: '12',
    GITHUB_RUN_ATTEMPT: '2',
    GITHUB_SHA: COMMIT,
    GITHUB_REF: 'refs/heads/main',
    ...env,
  },
}))

/**
 * Pull requests, tags and other unusual jobs: the page of the CI, what is unusual, the title or the link that an annotation gets, and
 * which variables differ from those above. The commit of a pull request above is its merge with the base, and feedc0de… its head.
 */
export const UNUSUAL: readonly { page: string; name: string; expected: object; env: Readonly<Record<string, string>> }[] = `
gitlab.md | merged results and merge trains | shop@feedc0d (!123) | CI_MERGE_REQUEST_ID=98765; CI_MERGE_REQUEST_IID=123; CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main; CI_MERGE_REQUEST_SOURCE_BRANCH_SHA=feedc0de5f6f708192a3b4c5d6e7f8091a2b3c4d
gitlab.md | a merge request whose head is built | shop@1a2b3c4 (!123) | CI_MERGE_REQUEST_ID=98765; CI_MERGE_REQUEST_IID=123; CI_MERGE_REQUEST_SOURCE_BRANCH_SHA=
gitlab.md | a tag of a monorepo | shop @acme/cart@1.2.3 | CI_COMMIT_TAG=@acme/cart@1.2.3
jenkins.md | an address that ends with a slash | shop@1a2b3c4 (main) | GIT_URL=https://git.example.com/acme/shop/
jenkins.md | a branch by its whole ref | shop@1a2b3c4 (main) | GIT_BRANCH=refs/remotes/upstream/main
jenkins.md | no branch | shop@1a2b3c4 | GIT_BRANCH=detached
jenkins.md | a multibranch pull request | shop@1a2b3c4 (#123) | CHANGE_ID=123; BRANCH_NAME=PR-123; GIT_BRANCH=PR-123
jenkins.md | a multibranch tag | shop@v1/2 | TAG_NAME=v1/2; GIT_BRANCH=v1/2
jenkins.md | a folder with a space | https://jenkins.example.com/job/web%20shop/12/ | BUILD_URL=https://jenkins.example.com/job/web shop/12/
buildkite.md | a build that was started by hand | shop (main) | BUILDKITE_COMMIT=HEAD
buildkite.md | a pull request | shop@1a2b3c4 (#123) | BUILDKITE_PULL_REQUEST=123; BUILDKITE_BRANCH=cart
buildkite.md | a merge queue | shop@1a2b3c4 (#123) | BUILDKITE_BRANCH=gh-readonly-queue/release/2.x/pr-123-feedc0de5f6f708192a3b4c5d6e7f8091a2b3c4d
buildkite.md | an address without \`.git\` | shop@1a2b3c4 (main) | BUILDKITE_REPO=git@git.example.com:acme/shop
circleci.md | a project of the GitHub App | 1a2b3c4 (main) | CIRCLE_PROJECT_USERNAME=; CIRCLE_PROJECT_REPONAME=; CIRCLE_TAG=; CIRCLE_BRANCH=main
circleci.md | a pull request | shop@1a2b3c4 (#123) | CIRCLE_TAG=; CIRCLE_BRANCH=cart; CIRCLE_PULL_REQUEST=https://github.com/acme/shop/pull/123
azure.md | a tag | shop@v1/2 | BUILD_SOURCEBRANCH=refs/tags/v1/2
azure.md | a pull request on GitHub | shop@feedc0d (#123) | BUILD_REPOSITORY_NAME=acme/shop; BUILD_SOURCEBRANCH=refs/pull/123/merge; SYSTEM_PULLREQUEST_PULLREQUESTID=98765; SYSTEM_PULLREQUEST_PULLREQUESTNUMBER=123; SYSTEM_PULLREQUEST_SOURCECOMMITID=feedc0de5f6f708192a3b4c5d6e7f8091a2b3c4d; SYSTEM_PULLREQUEST_TARGETBRANCH=main
azure.md | a pull request of its own | shop@feedc0d (#123) | SYSTEM_PULLREQUEST_PULLREQUESTID=123; SYSTEM_PULLREQUEST_TARGETBRANCH=refs/heads/main; SYSTEM_PULLREQUEST_SOURCECOMMITID=feedc0de5f6f708192a3b4c5d6e7f8091a2b3c4d
azure.md | a collection with a space | https://tfs.example.com/tfs/Default%20Collection/Web%20Shop/_build/results?buildId=430 | SYSTEM_TEAMFOUNDATIONCOLLECTIONURI=https://tfs.example.com/tfs/Default Collection/; SYSTEM_JOBID=
azure.md | a classic release | https://dev.azure.com/acme/p/_release?releaseId=7&_a=release-summary | RELEASE_RELEASEWEBURL=https://dev.azure.com/acme/p/_release?releaseId=7&_a=release-summary
bitbucket.md | a pull request | shop@1a2b3c4 (#123) | BITBUCKET_PR_ID=123; BITBUCKET_BRANCH=cart
teamcity.md | a project below another | Shop@1a2b3c4 | TEAMCITY_PROJECT_NAME=Acme / Shop
teamcity.md | a project by its full name | Shop@1a2b3c4 | TEAMCITY_PROJECT_NAME=Acme :: Shop
drone-woodpecker.md#Drone | a pull request | shop@1a2b3c4 (#123) | DRONE_BUILD_EVENT=pull_request; DRONE_PULL_REQUEST=123; DRONE_TARGET_BRANCH=main
drone-woodpecker.md#Woodpecker | a pull request | shop@1a2b3c4 (#123) | CI_PIPELINE_EVENT=pull_request; CI_COMMIT_PULL_REQUEST=123; CI_COMMIT_TARGET_BRANCH=main
appveyor-travis-semaphore.md#AppVeyor | a pull request | shop@feedc0d (#123) | APPVEYOR_PULL_REQUEST_NUMBER=123; APPVEYOR_PULL_REQUEST_HEAD_COMMIT=feedc0de5f6f708192a3b4c5d6e7f8091a2b3c4d
appveyor-travis-semaphore.md#Travis | a pull request | shop@feedc0d (#123) | TRAVIS_PULL_REQUEST=123; TRAVIS_PULL_REQUEST_SHA=feedc0de5f6f708192a3b4c5d6e7f8091a2b3c4d; TRAVIS_PULL_REQUEST_BRANCH=cart
appveyor-travis-semaphore.md#Semaphore | a pull request | shop@feedc0d (#123) | SEMAPHORE_GIT_PR_NUMBER=123; SEMAPHORE_GIT_PR_SHA=feedc0de5f6f708192a3b4c5d6e7f8091a2b3c4d; SEMAPHORE_GIT_PR_BRANCH=cart
`
  .trim()
  .split('\n')
  .map((line) => {
    const [page = '', name = '', said = '', variables = ''] = line.split(' | ')
    const pairs = variables.split('; ').map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)])
    const env = { ...CIS.find((ci) => ci.page === page)?.env, ...Object.fromEntries(pairs) }
    return { page, name, expected: { [said.startsWith('https:') ? 'url' : 'title']: said }, env }
  })
