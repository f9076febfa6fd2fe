/**
 * `npm run release:check`: says what is missing for a release of the version in package.json, each in a line with what to do, and exits 1
 * while something is.
 * Deliberately not here: what only servers know, such as whether the Marketplace has another action of that name (docs/releasing.md), and
 * what the workflow of a release runs besides: types, lint and tests.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'
import { REPOSITORY, readSection, TAG, VERSION } from './release.ts'

/** Stands for the repository until somebody owns it; written so that replacing it everywhere leaves this line alone. */
const NO_OWNER = ['OWNER', 'deployment-annotations'].join('/')
const MAJOR = TAG.split('.')[0]
const WORKFLOW = '.github/workflows/release.yml'
/** What the Marketplace has room for, and where its icons and colors are listed. */
const DESCRIPTION_CHARS_MAX = 125
const ACTION_SCHEMA = 'node_modules/@actions/workflow-parser/dist/action-v1.0.min.json'

/** Where the version is said, and how. */
const VERSIONS = {
  '{.,packages/*}/package.json': /"(?:version|@deployment-annotations\/[\w-]+)": "(.+)"/g,
  'packages/client/src/version.ts': /VERSION = '(.+)'/g,
  'deploy/helm/Chart.yaml': /^(?:version|appVersion): (.+)$/gm,
  'deploy/kubernetes.yaml': /app\.kubernetes\.io\/version: "(.+)"/g,
  'docs/deploy.md': /deployment-annotations-service-(\d.+)\.tgz/g,
}

const missing = new Set<string>()
const need = (isThere: boolean, otherwise: string) => isThere || missing.add(otherwise)
const read = (path: string) => readFileSync(path, 'utf8')
const git = (...args: string[]) => spawnSync('git', args, { encoding: 'utf8' }).stdout.split('\n').filter(Boolean)

function checkOwner(): void {
  const files = git('grep', '--files-with-matches', NO_OWNER).length
  const replace = `git grep -lz ${NO_OWNER} | xargs -0 sed -i 's#${NO_OWNER}#your/repository#'`
  need(files === 0, `no owner: ${NO_OWNER} stands in ${files} files. Run ${replace}`)
  const built = process.env.GITHUB_REPOSITORY ?? REPOSITORY
  need(built === REPOSITORY, `the packages name ${REPOSITORY}, and this is ${built}: provenance needs them to be the same`)
}

function checkVersions(): void {
  for (const [files, pattern] of Object.entries(VERSIONS))
    for (const file of globSync(files))
      for (const [, said] of read(file).matchAll(pattern)) need(said === VERSION, `${file} says ${said}: write ${VERSION}`)
  for (const example of git('grep', '-noE', `${REPOSITORY}(/compare)?@v[0-9]+`, '--', '*.md', 'packages/dashboard/src'))
    need(example.endsWith(`@${MAJOR}`), `${example} is an example of another version: write ${MAJOR}`)
}

function checkChangelog(): void {
  need(readSection(VERSION) !== '', `CHANGELOG.md has nothing in a section ${VERSION}: write it, it becomes the release notes`)
  need(readSection('Unreleased') === '', `CHANGELOG.md has unreleased entries: move them to the section ${VERSION}`)
}

function checkProvenance(): void {
  const { steps, permissions, environment } = parse(read(WORKFLOW)).jobs.publish
  const attest = steps.find(({ uses = '' }) => uses.startsWith('actions/attest-build-provenance@'))
  const attested: string[] = attest?.with['subject-path'].trim().split('\n') ?? []
  const files = [...attested, ...globSync(attested)]
  for (const file of ['release/*', ...globSync('{dist,compare}/**/*.js')])
    need(files.includes(file), `${WORKFLOW} does not attest ${file}: name it in the subject-path of the first attestation`)
  for (const name of ['id-token', 'attestations'])
    need(permissions[name] === 'write', `${WORKFLOW} may not attest: give the job publish the permission ${name}: write`)
  need(environment === 'release', `${WORKFLOW} asks nobody: give the job publish the environment release`)
  const publish = steps.find(({ run = '' }) => run.includes('npm publish'))
  need(publish?.run.includes(' --provenance '), `${WORKFLOW} publishes packages without provenance: add --provenance`)
}

function checkLicenses(): void {
  const published = globSync('packages/*/package.json').filter((file) => !JSON.parse(read(file)).private)
  for (const file of ['LICENSE', ...published.map((manifest) => join(dirname(manifest), 'LICENSE'))])
    need(existsSync(file), `${file} is missing: what is published needs the license beside it`)
}

function checkMarketplace(): void {
  const { name, description, branding } = parse(read('action.yml'))
  const { definitions } = JSON.parse(read(ACTION_SCHEMA))
  for (const member of ['icon', 'color']) {
    const isThere = definitions[`branding-${member}`]['allowed-values'].includes(branding?.[member])
    need(isThere, `action.yml has no ${member} that the Marketplace has: choose one in branding`)
  }
  const chars = description.length
  need(chars <= DESCRIPTION_CHARS_MAX, `action.yml has a description of ${chars} characters: at most ${DESCRIPTION_CHARS_MAX}`)
  need(name !== parse(read('compare/action.yml')).name, 'action.yml and compare/action.yml have one name: give each its own')
}

for (const check of [checkOwner, checkVersions, checkChangelog, checkProvenance, checkLicenses, checkMarketplace]) check()
if (missing.size === 0) {
  const { status, stderr } = spawnSync('bash', ['.ci/check', 'generated'], { encoding: 'utf8' })
  need(status === 0, stderr.trim().split('\n').at(-1) ?? '')
} else console.log('The bundles are built and compared once nothing else is missing.')
need(git('tag', '--points-at', 'HEAD').includes(TAG), `no tag: once all else is there, run git tag ${TAG}`)
for (const line of missing) console.log(`- ${line}`)
console.log(missing.size === 0 ? `Nothing is missing: git push origin ${TAG}` : `${missing.size} missing for ${TAG}`)
process.exitCode = missing.size === 0 ? 0 : 1
