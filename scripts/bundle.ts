/**
 * Bundles the compiled steps (lib/) with ncc: into dist/ the main step, the post step, what the post step loads where there is
 * something to do, undici, which all share, and the licenses of what is in them; into compare/dist/ the step `compare`.
 * The output is the same, byte for byte, wherever it is built from the same lock file.
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ncc from '@vercel/ncc'
import { readLicenses } from './licenses.js'

const root = join(import.meta.dirname, '..')

/**
 * Modules that are left out because the step never calls what needs them (docs/decisions/0001-what-the-step-loads.md).
 * The toolkit's OIDC client and process runner would load a second undici and child_process; they are given a
 * built-in module that is loaded anyway, so that their names are there and undefined.
 * undici tries to load HTTP/2, which the step does not speak, and goes on without where that throws; it loads the
 * bodies of fetch only for a FormData body.
 */
const LEFT_OUT = {
  '@actions/http-client': 'node:os',
  '@actions/http-client/lib/auth': 'node:os',
  '@actions/exec': 'node:os',
  crypto: './random.js',
  'node:http2': 'node:http2-is-left-out',
  '../web/fetch/body.js': 'node:fetch-is-left-out',
}

/** What all steps load from a file of its own, by the same name: beside another step it leads to the one of the main step. */
const SHARED = ['proxy.js', 'random.js']
/** Folders of other steps, and the way from there to dist/. */
const BESIDE = { 'dist/post': '..', 'compare/dist': '../../dist' } as const

/**
 * Each entry, the file that it becomes, and where that finds undici. Ours stay readable, for who looks into what runs with their
 * token; undici is published by others, and would be two thirds of all that runners download.
 */
const BUNDLES = [
  { entry: 'scripts/undici/undici.js', file: 'dist/undici.js', minify: true },
  { entry: 'scripts/random.js', file: 'dist/random.js' },
  { entry: 'lib/action/proxy.js', file: 'dist/proxy.js', undici: './undici.js' },
  { entry: 'lib/main.js', file: 'dist/index.js' },
  { entry: 'lib/post.js', file: 'dist/post/index.js' },
  { entry: 'lib/close.js', file: 'dist/post/close.js' },
  { entry: 'lib/compare.js', file: 'compare/dist/index.js' },
]

/** Where packages are found first from the compiled step; it is there only while bundling. */
const ALIASES = 'lib/node_modules'

process.chdir(root)
for (const folder of ['dist', 'compare/dist']) rmSync(folder, { recursive: true, force: true })
writeContextOnly()
const packages = new Set<string>()
for (const { entry, file, undici, minify = false } of BUNDLES) {
  const { code, assets } = await ncc(join(root, entry), {
    cache: false,
    externals: { ...LEFT_OUT, ...(undici === undefined ? {} : { undici }) },
    license: 'licenses.txt',
    minify,
    quiet: true,
  })
  const { 'licenses.txt': licenses, 'package.json': _, ...others } = assets
  if (Object.keys(others).length > 0) throw new Error(`${file} has fallen apart: ${Object.keys(others).join(', ')}`)
  write(file, code)
  for (const name of findPackages(code, String(licenses?.source ?? ''))) packages.add(name)
}
for (const [folder, way] of Object.entries(BESIDE))
  for (const name of SHARED) write(`${folder}/${name}`, `export * from '${way}/${name}'\n`)
rmSync(ALIASES, { recursive: true })
for (const folder of ['dist', 'compare/dist']) write(`${folder}/package.json`, `${JSON.stringify({ type: 'module' })}\n`)
write('dist/licenses.txt', readLicenses([...packages].map((name) => join('node_modules', name))))

/** Puts a package in the place of `@actions/github` that gives the workflow context as its entry point does, and nothing else. */
function writeContextOnly(): void {
  const folder = join(ALIASES, '@actions/github')
  write(join(folder, 'package.json'), `${JSON.stringify({ name: '@actions/github', type: 'module', exports: './index.js' })}\n`)
  const context = join(root, 'node_modules/@actions/github/lib/context.js')
  write(join(folder, 'index.js'), `import { Context } from ${JSON.stringify(context)}\nexport const context = new Context()\n`)
}

/**
 * The packages of others that are in a bundle: those that ncc's collector names, and those that were merged into one scope,
 * as all of the toolkit's are, which it passes over.
 */
function findPackages(code: string, licenses: string): string[] {
  const merged = code.matchAll(/^;\/\/ CONCATENATED MODULE: \.\/node_modules\/((?:@[^/]+\/)?[^/]+)\//gm)
  const names = [...licenses.split('\n'), ...[...merged].map(([, name = '']) => name)]
  const isPackage = (name: string) => /^(@[\w-]+\/)?[\w.-]+$/.test(name) && existsSync(join('node_modules', name, 'package.json'))
  return names.filter((name) => isPackage(name) && !name.startsWith('@deployment-annotations/'))
}

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}
