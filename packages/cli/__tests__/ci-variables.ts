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
export const UNUSUAL: readonly { page: string; name: string; expected: object; env: Readonly<Record<string, string>> }[] =
  readFileSync(join(import.meta.dirname, 'ci-unusual.txt'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [page = '', name = '', said = '', variables = ''] = line.split(' | ')
      const pairs = variables.split('; ').map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)])
      const env = { ...CIS.find((ci) => ci.page === page)?.env, ...Object.fromEntries(pairs) }
      return { page, name, expected: { [said.startsWith('https:') ? 'url' : 'title']: said }, env }
    })
