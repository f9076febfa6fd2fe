/**
 * What each CI sets for a job, by its documentation, and what an annotation made there gets of it.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

const COMMIT = '1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d'

export interface Ci {
  /** The page of docs/recipes/, and its section where it has several. */
  page: string
  env: Readonly<Record<string, string>>
  /** What the CI itself puts in place of `${…}` before a shell sees the line. */
  values?: Readonly<Record<string, string>>
  url?: string
  title?: string
  /** How the spans of the page end, as patterns. */
  results: readonly string[]
}

const file = readFileSync(join(import.meta.dirname, 'ci-variables.yaml'), 'utf8')
export const CIS = parse(file) as readonly Ci[]

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
