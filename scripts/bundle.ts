/**
 * Bundles the compiled step (lib/) into dist/ with ncc: the main step, the post step, and the licenses of what is in them.
 * The output is the same, byte for byte, wherever it is built from the same lock file.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ncc from '@vercel/ncc'

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
  'node:http2': 'node:http2-is-left-out',
  '../web/fetch/body.js': 'node:fetch-is-left-out',
}

const BUNDLES = [
  { entry: 'lib/main.js', folder: 'dist' },
  { entry: 'lib/post.js', folder: 'dist/post' },
]

process.chdir(root)
rmSync('dist', { recursive: true, force: true })
for (const { entry, folder } of BUNDLES) {
  const { code, assets } = await ncc(join(root, entry), {
    cache: false,
    externals: LEFT_OUT,
    license: 'licenses.txt',
    quiet: true,
  })
  assets['licenses.txt'] = { source: addLicenses(String(assets['licenses.txt']?.source ?? ''), code) }
  const files = { 'index.js': code, ...Object.fromEntries(Object.entries(assets).map(([name, { source }]) => [name, source])) }
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ type: 'module' })}\n`)
}

/** ncc's collector passes over modules that were merged into one scope, as all of the toolkit's are. */
function addLicenses(collected: string, code: string): string {
  const packages = new Set(
    [...code.matchAll(/^;\/\/ CONCATENATED MODULE: \.\/node_modules\/((?:@[^/]+\/)?[^/]+)\//gm)].map((match) => match[1] ?? ''),
  )
  const missing = [...packages].filter((name) => !collected.split('\n').includes(name)).sort()
  return [collected, ...missing.map(readLicense)].join('\n')
}

function readLicense(name: string): string {
  const folder = join(root, 'node_modules', name)
  const { license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { license: string }
  const file = readdirSync(folder).find((candidate) => /^licen[cs]e(\.md|\.txt)?$/i.test(candidate))
  if (file === undefined) throw new Error(`${name} has no license file`)
  return `${name}\n${license}\n${readFileSync(join(folder, file), 'utf8')}`
}
