/**
 * The house rules that a machine can check: who imports whom, and what is said in two places.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from '@jest/globals'
import { VERSION } from '../src/client/version.ts'

const files = globSync('src/**/*.{ts,tsx}').filter((file) => !file.endsWith('.d.ts'))
const imports = new Map(files.map((file) => [file, readImports(file)]))

/** The files of ours that a file imports, types and lazy imports included. */
function readImports(file: string): string[] {
  const specifiers = readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+\.tsx?)'/g)
  return [...specifiers].map((match) => join(dirname(file), match[1] ?? ''))
}

function reach(file: string, seen = new Set<string>()): Set<string> {
  for (const next of imports.get(file) ?? []) if (!seen.has(next)) reach(next, seen.add(next))
  return seen
}

/** Which parts a part may import besides itself. */
const MAY_IMPORT: Record<string, string[]> = {
  api: [],
  apl: ['api'],
  client: ['api'],
  action: ['api', 'client'],
  service: ['api', 'apl'],
  dashboard: ['api'],
  bin: ['api', 'client', 'service'],
  'main.ts': ['action'],
  'post.ts': ['action'],
}
const partOf = (file: string) => file.split('/')[1] ?? ''

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
    /export type ClientErrorCode =([^\n]*(?:\n {2}\|[^\n]*)*)/.exec(readFileSync('src/client/errors.ts', 'utf8'))?.[1] ?? ''
  expect(readCodes('The client')).toEqual([...declared.matchAll(/'([a-z-]+)'/g)].map((match) => match[1]).sort())
})

test('docs/errors.md lists just the codes of the service', () => {
  const declared = /const STATUS_OF = \{([^}]*)\}/.exec(readFileSync('src/service/errors.ts', 'utf8'))?.[1] ?? ''
  expect(readCodes('The service')).toEqual([...declared.matchAll(/(\w+): \d+/g)].map((match) => match[1]).sort())
})
