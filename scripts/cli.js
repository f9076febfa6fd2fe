/**
 * Builds the command `annotate`: packages/cli/src/ and all that it imports into one file that needs nothing beside it, with the
 * licenses of what is in it at its end. What only a proxy needs is in it too, and is evaluated only where there is one.
 * It is CommonJS, which starts faster: a module that imports `node:http` reads every export of it.
 * Runs after the compiler has made the contract, the client and the inputs.
 * Plain JavaScript, as is all that `npm ci` runs: it runs on the Node of the machine, which may not read TypeScript.
 */
import { appendFileSync, chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { foldersIn, readLicenses } from './licenses.js'

const FOLDER = 'packages/cli'
const FILE = join(FOLDER, 'lib/annotate.cjs')
/** Says so where Node is too old, before it comes to what such a Node does not have. */
const HEAD = `#!/usr/bin/env node
var [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 18)) {
  console.error('error: annotate needs Node 20.18.1 or newer, and this is Node ' + process.versions.node)
  process.exit(1)
}`

/**
 * env-ci would start git where variables do not say: a link and a title are not worth that. The entry of undici evaluates fetch,
 * WebSocket, caches and mocks; the proxy needs two of its files, and loads bodies of fetch only for a FormData, as in bundle.ts.
 */
const REPLACED = { execa: 'no-processes.js', undici: 'undici/undici.js' }

function replace({ onResolve }) {
  onResolve({ filter: /^(?:execa|undici)$/ }, ({ path }) => ({ path: join(import.meta.dirname, REPLACED[path]) }))
  onResolve({ filter: /web\/fetch\/body\.js$/ }, () => ({ path: 'node:fetch-is-left-out', external: true }))
}

rmSync(join(FOLDER, 'lib'), { recursive: true, force: true })
const { metafile } = await build({
  entryPoints: [join(FOLDER, 'src/main.ts')],
  outfile: FILE,
  plugins: [{ name: 'replaced', setup: replace }],
  banner: { js: HEAD },
  tsconfig: join(FOLDER, 'tsconfig.json'),
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  metafile: true,
  legalComments: 'none',
  logLevel: 'warning',
})
appendFileSync(FILE, `/*\n${readLicenses(foldersIn(metafile)).replaceAll('*/', '* /')}*/\n`)
chmodSync(FILE, 0o755)
