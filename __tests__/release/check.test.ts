/**
 * What is missing for a release, what its notes say, and the step alone as it is mirrored: on copies of this repository.
 * Deliberately not here: a copy that lacks nothing, which is built (ready.test.ts).
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { parse } from 'yaml'
import { VERSION } from '../../scripts/release/release.ts'
import { runAction } from '../support/run-action.ts'
import { startScriptedService } from '../support/scripted-service.ts'
import { makeCopy } from './copy.ts'

const copy = makeCopy()
afterAll(() => copy[Symbol.dispose]())
/** Written so that replacing it everywhere leaves this line alone. */
const NO_OWNER = ['OWNER', 'deployment-annotations'].join('/')
const WORKFLOW = '.github/workflows/release.yml'
const MAIN = 'https://github.com/acme/deployment-annotations'

test.each([
  [`no owner: ${NO_OWNER} stands in 1 files. Run git grep`, 'README.md', 'acme/deployment-annotations@v1', `${NO_OWNER}@v1`],
  ['packages/cli/package.json says 0.0.1: write', 'packages/cli/package.json', `"version": "${VERSION}"`, '"version": "0.0.1"'],
  ['deploy/helm/Chart.yaml says 0.0.1: write', 'deploy/helm/Chart.yaml', `appVersion: ${VERSION}`, 'appVersion: 0.0.1'],
  ['docs/recipes/matrix.md:', 'docs/recipes/matrix.md', 'deployment-annotations@v1', 'deployment-annotations@v9'],
  [`CHANGELOG.md has nothing in a section ${VERSION}`, 'CHANGELOG.md', `## ${VERSION}`, '## 0.9.9'],
  ['CHANGELOG.md has unreleased entries', 'CHANGELOG.md', '## Unreleased\n', '## Unreleased\n\n- Also this.\n'],
  [`${WORKFLOW} does not attest compare/dist/`, WORKFLOW, 'compare/dist/**/*.js', 'compare/dist/index.js'],
  [`${WORKFLOW} may not attest: give the job publish the permission id-token`, WORKFLOW, 'id-token: write', 'id-token: read'],
  [`${WORKFLOW} asks nobody`, WORKFLOW, 'environment: release', ''],
  [`${WORKFLOW} publishes packages without provenance`, WORKFLOW, ' --provenance', ''],
  ['packages/client/LICENSE is missing', 'packages/client/LICENSE', '', undefined],
  ['action.yml has no icon that the Marketplace has', 'action.yml', 'icon: flag', 'icon: coffee'],
  ['action.yml has a description of 126 characters', 'action.yml', /^description: .*/m, `description: ${'x'.repeat(126)}`],
  ['action.yml and compare/action.yml have one name', 'action.yml', /^name: .*/m, 'name: Did it hurt?'],
])('the check says: %s', (line, file, right, wrong) => {
  const path = join(copy.root, file)
  const text = readFileSync(path, 'utf8')
  if (wrong === undefined) rmSync(path)
  else writeFileSync(path, text.replace(right, wrong))
  const { status, lines } = copy.run('npm run --silent release:check')
  writeFileSync(path, text)
  expect(status).toBe(1)
  expect(lines[0]).toMatch(`- ${line}`)
  expect(lines.filter((one) => !one.startsWith(`- ${line}`))).toEqual([expect.stringContaining(`no tag: `)])
})

test('the notes of a release are its section of the changelog, whose links lead to the repository', () => {
  const link = `[data.md](${MAIN}/blob/v${VERSION}/docs/data.md#damage)`
  expect(copy.run('node scripts/release/release.ts').stdout).toBe(`Read ${link}.\n\n### The step\n\n- Does more.\n`)
})

test('the step alone runs from its folder, and its pages lead nowhere that is not there', async () => {
  copy.run('node scripts/release/step-files.ts step acme/mark')
  const folder = join(copy.root, 'step')
  await using service = await startScriptedService()
  const inputs = { token: 'xaat-1', datasets: 'web', type: 'deploy', baseUrl: service.url }
  const run = await runAction(inputs, { action: relative('.', folder) })
  expect({ errors: run.errors, id: run.outputs.id }).toEqual({ errors: [], id: 'ann_1' })
  const names = ['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'action.yml', 'dist']
  expect(readdirSync(folder).sort()).toEqual(names)
  const pages = names.filter((name) => name.endsWith('.md')).map((name) => readFileSync(join(folder, name), 'utf8'))
  const links = [...pages.join().matchAll(/\]\(([^)]+)\)|uses: (\S+)/g)].map(([, link, uses]) => link ?? uses ?? '')
  const isThere = (link: string) =>
    link.startsWith(MAIN) || link.startsWith('#') || existsSync(join(folder, link.replace(/#.*/, '')))
  expect([...new Set(links.filter((link) => !isThere(link)))]).toEqual([
    'acme/mark@v1',
    'actions/checkout@v7',
    'acme/deployment-annotations/compare@v1',
  ])
})

test('the mirror gets each version once, and its newest one as main', () => {
  const [{ run = '' } = {}] = parse(readFileSync(WORKFLOW, 'utf8')).jobs.mirror.steps.slice(-1)
  mkdirSync(join(copy.root, 'release'), { recursive: true })
  copy.run(`git init --quiet --bare acme/mark
    git config --global url."$PWD/".insteadOf https://x-access-token:secret@github.com/`)
  for (const version of ['v1.2.0', 'v1.2.0', 'v1.1.9', 'v0.9.0'])
    expect(
      copy.run(`rm -rf mirror && echo ${version} > version && tar -czf release/step.tar.gz version\n${run}`, {
        GITHUB_REF_NAME: version,
        REPOSITORY: 'acme/mark',
        TOKEN: 'secret',
      }),
    ).toMatchObject({ status: 0 })
  const versions = copy.run('cd acme/mark && for ref in $(git tag) main; do echo "$ref $(git show $ref:version)"; done').stdout
  expect(versions).toBe('v0 v0.9.0\nv0.9.0 v0.9.0\nv1 v1.2.0\nv1.1.9 v1.1.9\nv1.2.0 v1.2.0\nmain v1.2.0\n')
})
