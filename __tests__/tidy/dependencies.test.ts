/**
 * A package imports what its own package.json declares, and declares what it imports.
 * Deliberately not here: versions and licenses.
 */
import { globSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { expectOnly, read, scripts, sources, specifiersOf, tests } from './tree.ts'

interface Manifest {
  readonly name: string
  readonly workspaces?: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

const manifestOf = (folder: string) => JSON.parse(read(`${folder}package.json`)) as Manifest
const root = manifestOf('')
const packages = (root.workspaces ?? []).map((folder) => `${folder}/`)

/** What is declared and imported nowhere, with the reason. */
const DECLARED_FOR: Readonly<Record<string, string>> = {
  '@biomejs/biome': 'lint and format',
  '@swc/jest': 'named in jest.config.js',
  '@types/node': 'types of node:',
  '@types/pg': 'types of pg',
  chdb: 'what is published as the service loads it at run time',
  jest: 'runs the tests',
  micromark: 'renders the help in the build (scripts/help.js)',
  typescript: 'builds and checks',
}

/** What files find by the way of CommonJS. */
const requiredBy = (file: string) =>
  [...read(file).matchAll(/createRequire\(import\.meta\.url\)(?:\.resolve)?\('([^']+)'/g)].map(([, name = '']) => name)

/** The packages of npm that files import; those of Node and our own files are left out. */
function importedBy(files: readonly string[]): Set<string> {
  const all = files.flatMap((file) => [...specifiersOf(file), ...requiredBy(file)])
  const names = all.filter((name) => !/^(?:node:|\.)/.test(name))
  return new Set(
    names.map((name) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    ),
  )
}

/** Whether tests or scripts name a package in another way, such as by the path of a file in it. */
const isNamed = (name: string) => [...scripts, ...tests].some((file) => read(file).includes(`('${name}/`))

const atRun = ({ dependencies, optionalDependencies, peerDependencies }: Manifest) =>
  Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })

test.each(['', ...packages])('the source in "%s" imports what package.json there declares for running', (folder) => {
  const manifest = manifestOf(folder)
  const imported = importedBy(sources.filter((file) => file.startsWith(`${folder}src/`)))
  // Modules that are types alone, such as mdast, come from a package that only the build needs.
  const isDeclared = (name: string) =>
    atRun(manifest).includes(name) || manifest.devDependencies?.[`@types/${name}`] !== undefined
  expect([...imported].filter((name) => !isDeclared(name))).toEqual([])
})

/** What tests run on the Node of the machine, which may not read TypeScript. */
const programs = globSync('packages/*/__tests__/*.mjs')

test('every dependency that is declared is imported, or is there for a reason that is given', () => {
  const unused = packages.flatMap((folder) => {
    const imported = importedBy([...sources, ...tests].filter((file) => file.startsWith(folder)))
    return Object.keys({ ...manifestOf(folder).devDependencies })
      .concat(atRun(manifestOf(folder)))
      .filter((name) => !imported.has(name.replace('@types/', '')))
  })
  const atTheTop = importedBy([...sources.filter((file) => file.startsWith('src/')), ...scripts, ...tests, ...programs])
  const declared = [...atRun(root), ...Object.keys({ ...root.devDependencies })]
  expectOnly([...unused, ...declared.filter((name) => !atTheTop.has(name) && !isNamed(name))], Object.keys(DECLARED_FOR))
})

/** Everything that is not published: tests, the bench, scripts, and what runs in CI. */
const unpublished = [...tests, ...programs, ...scripts, ...globSync(['.ci/**/*.{ts,js,mjs}', 'scripts/**/*.js', '*.js'])]

test('tests, the bench, scripts and CI import what the package.json of their folder or the one at the top declares', () => {
  const declaredIn = (folder: string) => {
    const manifest = manifestOf(folder)
    return [manifest.name, ...atRun(manifest), ...Object.keys({ ...manifest.devDependencies })]
  }
  const undeclared = unpublished.flatMap((file) => {
    const folders = ['', ...packages.filter((folder) => file.startsWith(folder))]
    const declared = new Set(folders.flatMap(declaredIn))
    return [...importedBy([file])].filter((name) => !declared.has(name)).map((name) => `${file}: ${name}`)
  })
  expect(undeclared).toEqual([])
})
