/**
 * Every workflow that README.md and docs/ show, as a user copies it: the code blocks in YAML with a step. A block that names a file in its
 * first line is a whole one; jobs, or steps alone, are made whole.
 */
import { globSync, readFileSync } from 'node:fs'

export interface PublishedWorkflow {
  page: string
  /** Where a user puts it; a block that does not say so is an example by its number. */
  path: string
  text: string
}

export const published: readonly PublishedWorkflow[] = ['README.md', ...globSync('docs/**/*.md').sort()].flatMap((page) =>
  [...readFileSync(page, 'utf8').matchAll(/^```ya?ml\n(.*?)^```/gms)]
    .map(([, text = '']) => text)
    .filter((text) => /^(?:[ -]*uses|on):/m.test(text))
    .map((text, index) => {
      const [, path = `.github/workflows/example-${index + 1}.yml`] = /^# (\.github\/\S+)\n/.exec(text) ?? []
      return { page, path, text: complete(text) }
    }),
)

function complete(text: string): string {
  if (/^on:/m.test(text)) return text
  const head = 'on: push\npermissions: {}\n'
  if (/^jobs:/m.test(text)) return head + text
  return `${head}jobs:\n  job:\n    runs-on: ubuntu-24.04\n    steps:\n      - uses: actions/checkout@v7\n${text.replace(/^/gm, '      ')}`
}

/** @returns what a page has a user put into a repository: the text of each path, with these addresses in place of those */
export function filesOf(page: string, addresses: Readonly<Record<string, string>> = {}): Record<string, string> {
  const replaceAll = (text: string) => Object.entries(addresses).reduce((made, [from, to]) => made.replaceAll(from, to), text)
  return Object.fromEntries(published.filter((file) => file.page === page).map(({ path, text }) => [path, replaceAll(text)]))
}
