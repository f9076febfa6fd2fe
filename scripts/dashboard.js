/**
 * Builds the dashboard: `packages/dashboard/src/` into `packages/service/public/`, which the service serves as it is. `index.html` names the
 * scripts and the style by their hashes, so that browsers may keep them forever. Runs after `npm ci` and with the build.
 *
 * The help is made of `docs/` (`scripts/help.js`). The page starts with one script and all styles. What it loads later (`import()` in the source) becomes scripts of their own.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { buildHelp } from './help.js'

const SOURCE = 'packages/dashboard/src'
const TARGET = 'packages/service/public'
const ENTRY = join(SOURCE, 'main.tsx')
/** The help is pages of their own, which load nothing of the page but its style. */
const HELP_ENTRY = join(SOURCE, 'help/search.ts')

/**
 * What is loaded later finds the page's first script there. Said as an import of it, that script stays whole; otherwise the bundler
 * makes a file of its own of whatever any two of the scripts share, some thirty small ones to start with.
 */
const laterThanTheEntry = {
  name: 'later-than-the-entry',
  setup(builder) {
    const later = new Set()
    builder.onResolve({ filter: /./ }, async ({ kind, path, ...from }) => {
      if (kind !== 'dynamic-import' || from.pluginData === later) return undefined
      const found = await builder.resolve(path, { kind, importer: from.importer, resolveDir: from.resolveDir, pluginData: later })
      later.add(found.path)
      return found
    })
    builder.onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
      if (!later.has(path)) return undefined
      const contents = `${readFileSync(path, 'utf8')}\nimport ${JSON.stringify(resolve(ENTRY))}\n`
      return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' }
    })
  },
}

rmSync(TARGET, { recursive: true, force: true })
mkdirSync(join(TARGET, 'assets'), { recursive: true })
const OPTIONS = {
  outdir: join(TARGET, 'assets'),
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  tsconfig: 'packages/dashboard/tsconfig.json',
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2023',
  metafile: true,
  logLevel: 'warning',
}
const help = Object.keys((await build({ ...OPTIONS, entryPoints: [HELP_ENTRY] })).metafile.outputs).map((path) => basename(path))
const { metafile } = await build({
  ...OPTIONS,
  entryPoints: [ENTRY],
  splitting: true,
  plugins: [laterThanTheEntry],
})

const [script, output] = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === ENTRY) ?? []
if (!script || !output?.cssBundle) throw new Error('the dashboard was built without a script or without a style')
// The styles of what is loaded later are among those that the page starts with.
for (const path of Object.keys(metafile.outputs)) {
  if (!path.endsWith('.css') || path === output.cssBundle) continue
  rmSync(path)
  delete metafile.outputs[path]
}
writeFileSync(join(TARGET, 'metafile.json'), JSON.stringify(metafile))

const scripts = [...output.imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path), script]
const page = readFileSync(join(SOURCE, 'index.html'), 'utf8')
  .replace('%scripts%', scripts.map((path) => `<script type="module" src="/assets/${basename(path)}"></script>`).join('\n    '))
  .replace('%style%', `/assets/${basename(output.cssBundle)}`)
writeFileSync(join(TARGET, 'index.html'), page)
const addressOf = (name) => `/assets/${name}`
buildHelp(join(TARGET, 'help'), {
  styles: [basename(output.cssBundle), ...help.filter((name) => name.endsWith('.css'))].map(addressOf),
  script: help.filter((name) => name.endsWith('.js')).map(addressOf)[0],
})
cpSync(join(SOURCE, 'icon.svg'), join(TARGET, 'assets/icon.svg'))

// The service sends these to browsers that take them. Those that are hardly smaller are left out.
const COMPRESSED = /^(?:index\.html|assets\/.*|help\/.*\.(?:html|json|svg))$/
for (const name of readdirSync(TARGET, { recursive: true }).filter((one) => COMPRESSED.test(one))) {
  const path = join(TARGET, name)
  const bytes = readFileSync(path)
  for (const [ending, compressed] of Object.entries({ br: brotliCompressSync(bytes), gz: gzipSync(bytes, { level: 9 }) }))
    if (compressed.length < bytes.length * 0.9) writeFileSync(`${path}.${ending}`, compressed)
}
