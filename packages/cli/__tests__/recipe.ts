/**
 * A recipe of docs/recipes/ as what a CI makes of it: the variables it sets, and the command lines that it hands to a shell.
 * Deliberately not here: conditions, images, triggers; the lines are taken in their order.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseAllDocuments } from 'yaml'

export interface Recipe {
  env: Record<string, string>
  /** Each is a shell of its own. */
  scripts: string[]
}

/** @param page such as `gitlab.md#Section`: without a section all of the page @returns one recipe for each of its blocks */
export function readRecipes(page: string): Recipe[] {
  const [file = '', section] = page.split('#')
  const text = readFileSync(fileURLToPath(new URL(`../../../docs/recipes/${file}`, import.meta.url)), 'utf8')
  const part = section === undefined ? text : (text.split(`## ${section}\n`)[1]?.split('\n## ')[0] ?? '')
  const blocks = [...part.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
  return blocks.map(([, language = '', code = '']) => READERS[language]?.(code) ?? { env: {}, scripts: [] })
}

const isOurs = (line: string) => line.includes('ci/annotate.cjs')

const READERS: Readonly<Record<string, (code: string) => Recipe>> = {
  sh: (code) => ({ env: {}, scripts: [code] }),
  yaml: (code) => collect(parseAllDocuments(code).map((document) => document.toJS() as unknown)),
  groovy: (code) => ({
    env: Object.fromEntries([...code.matchAll(/(ANNOTATE_\w+) = '(.*)'/g)].map(([, name, value]) => [name ?? '', value ?? ''])),
    scripts: [...code.matchAll(/\bsh '(.*?)'/g)].map(([, line = '']) => line).filter(isOurs),
  }),
  terraform: (code) => ({ env: {}, scripts: [...code.matchAll(/command = "(.*)"/g)].map(([, line = '']) => line) }),
}

/** Wherever they stand: every CI has another place for them. Secrets are left to the test. */
function collect(node: unknown, found: Recipe = { env: {}, scripts: [] }): Recipe {
  if (typeof node === 'string') {
    const [, name, value] = /^(ANNOTATE_\w+)=(.*)$/.exec(node) ?? []
    if (name !== undefined && value !== undefined) found.env[name] = value
    else if (isOurs(node)) found.scripts.push(node)
  } else if (typeof node === 'object' && node !== null) {
    const { name, value } = node as Record<string, unknown>
    if (typeof name === 'string' && name.startsWith('ANNOTATE_') && typeof value === 'string') found.env[name] = value
    for (const [key, member] of Object.entries(node)) {
      if (/^ANNOTATE_(?!TOKEN)/.test(key)) found.env[key] = String(member)
      else collect(member, found)
    }
  }
  return found
}
