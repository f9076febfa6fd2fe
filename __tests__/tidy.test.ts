/**
 * The house rules that a machine can check: who imports whom, and what is said in two places.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { VERSION } from '@deployment-annotations/client/version'
import { expect, test } from '@jest/globals'

const PACKAGE = '@deployment-annotations/'
const files = [...globSync('src/**/*.ts'), ...globSync('packages/*/src/**/*.{ts,tsx}')].filter((file) => !file.endsWith('.d.ts'))
const imports = new Map(files.map((file) => [file, readImports(file)]))

/** The files of ours that a file imports, by path or by the name of their package, types and lazy imports included. */
function readImports(file: string): string[] {
  const specifiers = readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)
  return [...specifiers].flatMap(([, name = '']) => {
    if (name.startsWith(PACKAGE)) {
      const [part = '', ...rest] = name.slice(PACKAGE.length).split('/')
      return [`packages/${part}/src/${rest.join('/') || 'index'}.ts`]
    }
    return /^\.[^']+\.tsx?$/.test(name) ? [join(dirname(file), name)] : []
  })
}

function reach(file: string, seen = new Set<string>()): Set<string> {
  for (const next of imports.get(file) ?? []) if (!seen.has(next)) reach(next, seen.add(next))
  return seen
}

/** Which packages a package may import besides itself; `action` is what lies at the top. */
const MAY_IMPORT: Record<string, string[]> = {
  contract: [],
  apl: ['contract'],
  client: ['contract'],
  action: ['contract', 'client'],
  service: ['contract', 'apl'],
  dashboard: ['contract', 'apl'],
}
const partOf = (file: string) => (file.startsWith('src/') ? 'action' : (file.split('/')[1] ?? ''))

test('parts import only the parts they may', () => {
  const wrong = files.flatMap((file) =>
    (imports.get(file) ?? [])
      .filter((to) => partOf(to) !== partOf(file) && !MAY_IMPORT[partOf(file)]?.includes(partOf(to)))
      .map((to) => `${file} imports ${to}`),
  )
  expect(wrong).toEqual([])
})

test('no imports go in a circle', () => {
  expect(files.filter((file) => reach(file).has(file))).toEqual([])
})

test('every import names a file that is there', () => {
  expect([...imports.values()].flat().filter((file) => !imports.has(file))).toEqual([])
})

test('every file begins by saying what it is', () => {
  expect(files.filter((file) => !readFileSync(file, 'utf8').startsWith('/**'))).toEqual([])
})

test('a file past 300 lines says why', () => {
  const long = files.filter((file) => readFileSync(file, 'utf8').split('\n').length > 300)
  expect(long.filter((file) => !/^\/\*\*[^/]*\bbecause\b/s.test(readFileSync(file, 'utf8')))).toEqual([])
})

test('the version is the same everywhere', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect([VERSION, /^## (\d\S*)/m.exec(readFileSync('CHANGELOG.md', 'utf8'))?.[1]]).toEqual([version, version])
})

/** The first column of the table in a section of docs/errors.md. */
function readCodes(section: string): string[] {
  const text = readFileSync('docs/errors.md', 'utf8').split(`## ${section}\n`)[1]?.split('\n## ')[0] ?? ''
  return [...text.matchAll(/^\| `([a-z_-]+)` \|/gm)].map((match) => match[1] ?? '').sort()
}

test('docs/errors.md lists just the codes of the client', () => {
  const declared =
    /export type ClientErrorCode =([^\n]*(?:\n {2}\|[^\n]*)*)/.exec(readFileSync('packages/client/src/errors.ts', 'utf8'))?.[1] ??
    ''
  expect(readCodes('The client')).toEqual([...declared.matchAll(/'([a-z-]+)'/g)].map((match) => match[1]).sort())
})

test('docs/errors.md lists just the codes of the service', () => {
  const declared = /const STATUS_OF = \{([^}]*)\}/.exec(readFileSync('packages/service/src/errors.ts', 'utf8'))?.[1] ?? ''
  expect(readCodes('The service')).toEqual([...declared.matchAll(/(\w+): \d+/g)].map((match) => match[1]).sort())
})
