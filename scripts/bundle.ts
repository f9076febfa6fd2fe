/**
 * Bundles the compiled steps (lib/) with ncc: into dist/ the main step, the post step, what the post step loads where there is
 * something to do, what corrects inputs, what tells the way in debug mode, the client of the repository's API, undici, which all share,
 * what reads an event, and the licenses of what is in them; into compare/dist/ the step `compare`.
 * The output is the same, byte for byte, wherever it is built from the same lock file.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { minify } from '@swc/core'
import ncc from '@vercel/ncc'
import { transform } from 'esbuild'
import { readLicenses } from './licenses.js'

const root = join(import.meta.dirname, '..')

/**
 * Modules that are left out because the step never calls what needs them (docs/decisions/0001-what-the-step-loads.md).
 * The toolkit's OIDC client and process runner would load a second undici and child_process; they, what they are for and its look at
 * the platform are given a built-in module that is loaded anyway, so that their names are there and undefined.
 * undici tries to load HTTP/2, which the step does not speak, and a second build of its parser, and goes on without where that throws; it
 * loads the bodies of fetch only for a FormData body.
 */
const LEFT_OUT = {
  './oidc-utils.js': 'node:os',
  './platform.js': 'node:os',
  './path-utils.js': 'node:os',
  'node:http2': 'node:http2-is-left-out',
  '../llhttp/llhttp_simd-wasm.js': 'node:simd-is-left-out',
  '../web/fetch/body.js': 'node:fetch-is-left-out',
}

/** The function that the bundle has in the place of `node:crypto`. */
const RANDOM = readFileSync(join(root, 'scripts/random.js'), 'utf8').replace(/^export (?=function)/m, '')

/**
 * Places in the toolkit that load slow parts of Node (docs/decisions/0001-what-the-step-loads.md): `node:crypto` for one random id, and
 * `fs.promises`, which brings readline, for the job summary.
 */
const REPLACED: readonly (readonly [slow: RegExp, quick: string])[] = [
  [/= require\("crypto"\);/, `= (() => { ${RANDOM}return { randomUUID } })();`],
  [
    /const \{ access, appendFile, writeFile \} = [\w.]+\.promises;/,
    `const [access, appendFile, writeFile] = ['accessSync', 'appendFileSync', 'writeFileSync'].map((name) => async (...given) => require('node:fs')[name](...given));`,
  ],
]

/** What other steps load from a file of its own: by the way from their folder to dist/, the names, which are those of the main step's. */
const BESIDE = {
  'dist/post': { way: '..', names: ['corrections.js', 'debug.js', 'proxy.js'] },
  'compare/dist': { way: '../../dist', names: ['corrections.js', 'debug.js', 'proxy.js', 'shipped.js'] },
} as const

interface Bundle {
  entry: string
  file: string
  /** Where it finds undici, which is a file of its own. */
  undici?: string
  /** Where it finds the client of the repository's API, which is in a file of its own. */
  github?: string
  /** Needs the whole toolkit, and nothing is left out. */
  isWhole?: true
  /** What others import from it: Node finds these names by reading the file, and cannot read them in what the bundler wrote. */
  exports?: readonly string[]
}

const BUNDLES: readonly Bundle[] = [
  { entry: 'scripts/undici/undici.js', file: 'dist/undici.js' },
  { entry: 'lib/action/proxy.js', file: 'dist/proxy.js', undici: './undici.js', exports: ['createUndiciTransport'] },
  {
    entry: 'lib/action/shipped.js',
    file: 'dist/shipped.js',
    undici: './undici.js',
    isWhole: true,
    exports: ['describeWithShipped', 'GitHub', 'getOctokitOptions'],
  },
  { entry: 'lib/action/event.js', file: 'dist/event.js', exports: ['readEventSource'] },
  { entry: 'lib/action/debug.js', file: 'dist/debug.js', exports: ['send', 'tellInputs'] },
  { entry: 'lib/action/corrections.js', file: 'dist/corrections.js', exports: ['correct'] },
  { entry: 'lib/main.js', file: 'dist/index.js' },
  { entry: 'lib/post.js', file: 'dist/post/index.js' },
  { entry: 'lib/close.js', file: 'dist/post/close.js', exports: ['close'] },
  { entry: 'lib/action/verdict.js', file: 'dist/post/verdict.js', exports: ['reportVerdict'] },
  { entry: 'lib/compare.js', file: 'compare/dist/index.js' },
  {
    entry: 'lib/action/github-report.js',
    file: 'compare/dist/github-report.js',
    github: './shipped.js',
    exports: ['reportToGithub'],
  },
]

process.chdir(root)
for (const folder of ['dist', 'compare/dist']) rmSync(folder, { recursive: true, force: true })
const packages = new Set<string>()
for (const bundle of BUNDLES) {
  const { code, assets } = await ncc(join(root, writeEntry(bundle)), {
    cache: false,
    externals: {
      ...(!bundle.isWhole && LEFT_OUT),
      ...(bundle.undici && { undici: bundle.undici }),
      ...(bundle.github && { '@actions/github/lib/utils': bundle.github }),
    },
    license: 'licenses.txt',
    quiet: true,
  })
  const { 'licenses.txt': licenses, 'package.json': _, ...others } = assets
  if (Object.keys(others).length > 0) throw new Error(`${bundle.file} has fallen apart: ${Object.keys(others).join(', ')}`)
  for (const name of findPackages(code, String(licenses?.source ?? ''))) packages.add(name)
  write(bundle.file, await shrink(code, bundle.exports))
}
for (const [folder, { way, names }] of Object.entries(BESIDE))
  for (const name of names) write(`${folder}/${name}`, `module.exports = require('${way}/${name}')\n`)
for (const folder of ['dist', 'compare/dist']) write(`${folder}/package.json`, `${JSON.stringify({ type: 'commonjs' })}\n`)
write('dist/licenses.txt', readLicenses([...packages].map((name) => join('node_modules', name))))

/** @returns an entry that is CommonJS, so that the bundle is: Node starts it some milliseconds sooner than a module */
function writeEntry({ entry }: Bundle): string {
  const path = `${entry}.cjs`.replace('scripts/undici/', 'lib/')
  write(path, `module.exports = require(${JSON.stringify(join(root, entry))})\n`)
  return path
}

/** Takes out what is slow to load, what modules have that nothing in the bundle uses, and whatever only people read. */
async function shrink(code: string, exports: readonly string[] = []): Promise<string> {
  const fast = REPLACED.reduce((text, [slow, quick]) => text.replace(slow, quick), code)
  const { code: used } = await minify(fast, { compress: { defaults: false, unused: true }, mangle: false })
  const { code: small } = await transform(used, { minify: true, platform: 'node', target: 'node20', legalComments: 'none' })
  return exports.length === 0 ? small : `${small}0&&(module.exports={${exports.join(',')}});\n`
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
