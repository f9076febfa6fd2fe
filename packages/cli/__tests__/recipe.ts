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
  /** The whole block. */
  code: string
}

/** @param page such as `gitlab.md#Section`: without a section all of the page @returns one recipe for each of its blocks */
export function readRecipes(page: string): Recipe[] {
  const [file = '', section] = page.split('#')
  const text = readFileSync(fileURLToPath(new URL(`../../../docs/recipes/${file}`, import.meta.url)), 'utf8')
  const part = section === undefined ? text : (text.split(`## ${section}\n`)[1]?.split('\n## ')[0] ?? '')
  const blocks = [...part.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
  return blocks.map(([, language = '', code = '']) => ({ env: {}, scripts: [], ...READERS[language]?.(code), code }))
}

const READERS: Readonly<Record<string, (code: string) => Omit<Recipe, 'code'>>> = {
  sh: (code) => ({ env: {}, scripts: [code] }),
  yaml: (code) => collect(parseAllDocuments(code).map((document) => document.toJS() as unknown)),
  groovy: (code) => ({
    env: Object.fromEntries([...code.matchAll(/(ANNOTATE_\w+) = '(.*)'/g)].map(([, name, value]) => [name ?? '', value ?? ''])),
    scripts: [...code.matchAll(/\bsh (['"])(.*?)\1/g)].map(([, , line = '']) => line),
  }),
  terraform: (code) => ({ env: {}, scripts: [...code.matchAll(/command = "(.*)"/g)].map(([, line = '']) => line) }),
}

/** Under which CIs have what a shell runs: a line, several of them, or the words of one command. */
const IS_SCRIPT = /^(?:before_|after_|deploy_|after-)?(?:script|commands?|run)$/

/** Wherever they stand: every CI has another place for them. Secrets are left to the test. */
function collect(node: unknown, found: Omit<Recipe, 'code'> = { env: {}, scripts: [] }): Omit<Recipe, 'code'> {
  if (typeof node === 'string') {
    const [, name, value] = /^(ANNOTATE_\w+)=(.*)$/.exec(node) ?? []
    if (name !== undefined && value !== undefined) found.env[name] = value
  } else if (typeof node === 'object' && node !== null) {
    const { name, value } = node as Record<string, unknown>
    if (typeof name === 'string' && name.startsWith('ANNOTATE_') && typeof value === 'string') found.env[name] = value
    for (const [key, member] of Object.entries(node)) {
      const lines = [member].flat()
      if (/^ANNOTATE_(?!TOKEN)/.test(key)) found.env[key] = String(member)
      else if (IS_SCRIPT.test(key) && lines.every((line) => typeof line === 'string'))
        found.scripts.push(...(lines[0] === 'sh' ? lines.slice(-1) : lines))
      else collect(member, found)
    }
  }
  return found
}
