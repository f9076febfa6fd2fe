/**
 * What the tidy tests read: our files, who imports whom, and each file's syntax tree.
 * Deliberately not here: any rule.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect } from '@jest/globals'
import { type Module, parseSync } from '@swc/core'

const PACKAGE = '@deployment-annotations/'
const isOurs = (file: string) => !/(?:^|\/)(?:node_modules|lib|dist|public|goldens)\//.test(file)

const find = (...patterns: string[]) => patterns.flatMap((pattern) => globSync(pattern)).filter(isOurs)

/** Every file of source, by its path from the top. Declarations of other people's modules are not ours. */
export const sources = find('src/**/*.ts', 'packages/*/src/**/*.{ts,tsx}').filter((file) => !file.endsWith('.d.ts'))
export const scripts = find('scripts/**/*.ts', 'bench/**/*.ts').filter((file) => !file.endsWith('.d.ts'))
export const tests = find('__tests__/**/*.ts', 'packages/*/__tests__/**/*.ts')
export const pages = find('*.md', 'docs/**/*.md', '__tests__/*.md', 'packages/*/*.md')

const texts = new Map<string, string>()

export function read(file: string): string {
  const text = texts.get(file) ?? readFileSync(file, 'utf8')
  texts.set(file, text)
  return text
}

/** What follows `from` and `import` outside of comments, types and lazy imports included. */
export function specifiersOf(file: string): string[] {
  const code = read(file).replace(/^\s*(?:\*|\/[/*]).*$/gm, '')
  return [...code.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'((?:node:|[@.a-z])[\w@./-]*)'/g)].map(([, name = '']) => name)
}

/** The file of ours that an import names, by path or by the name of its package; `undefined` for anything else. */
export function resolve(file: string, specifier: string): string | undefined {
  if (specifier.startsWith(PACKAGE)) {
    const [name = '', ...rest] = specifier.slice(PACKAGE.length).split('/')
    const path = `packages/${name}/src/${rest.join('/') || 'index'}`
    return existsSync(`${path}.tsx`) ? `${path}.tsx` : `${path}.ts`
  }
  return /^\.[^']+\.tsx?$/.test(specifier) ? join(dirname(file), specifier) : undefined
}

/** The files of ours that each source file imports. */
export const imports: ReadonlyMap<string, string[]> = new Map(
  sources.map((file) => [file, specifiersOf(file).flatMap((name) => resolve(file, name) ?? [])]),
)

/** The package that a file belongs to; `action` is what lies at the top. */
export const packageOf = (file: string) => (file.startsWith('packages/') ? (file.split('/')[1] ?? '') : 'action')

interface Tree {
  readonly module: Module
  /** The line, from 1, of a place in the tree. */
  lineOf(place: number): number
}

const trees = new Map<string, Tree>()

/** A file's syntax tree. The parser counts places in bytes, from 1. */
export function treeOf(file: string): Tree {
  const known = trees.get(file)
  if (known) return known
  const module = parseSync(read(file), { syntax: 'typescript', tsx: file.endsWith('x'), target: 'es2023' })
  const bytes = Buffer.from(read(file))
  const tree: Tree = {
    module,
    lineOf: (place) =>
      bytes
        .subarray(0, place - 1)
        .toString('latin1')
        .split('\n').length,
  }
  trees.set(file, tree)
  return tree
}

/** A node of a syntax tree, as far as a walk needs to know it. */
export type SyntaxNode = Readonly<Record<string, unknown>> & { readonly type: string }

/** Calls `visit` with every node and the node around it, outer nodes first. */
export function walk(node: unknown, visit: (node: SyntaxNode, parent: SyntaxNode | undefined) => void, parent?: SyntaxNode) {
  if (typeof node !== 'object' || node === null) return
  const found = 'type' in node && typeof node.type === 'string' ? (node as SyntaxNode) : undefined
  if (found) visit(found, parent)
  for (const child of Object.values(node)) walk(child, visit, found ?? parent)
}

/** The comments of a file. */
export function commentsOf(file: string): string[] {
  return read(file).match(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm) ?? []
}

/** Fails with what breaks a rule and is not excepted, and with exceptions that nothing needs any more. */
export function expectOnly(found: readonly string[], exceptions: readonly string[]): void {
  expect({
    breaksTheRule: found.filter((one) => !exceptions.includes(one)),
    exceptionNoLongerNeeded: exceptions.filter((one) => !found.includes(one)),
  }).toEqual({ breaksTheRule: [], exceptionNoLongerNeeded: [] })
}

export const nameOf = (file: string) => basename(file).replace(/\..*$/, '')
