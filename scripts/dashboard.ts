/**
 * Builds the dashboard: `packages/dashboard/src/` into `packages/service/public/`, which the service serves as it is. `index.html` names the
 * script and the style by their hashes, so that browsers may keep them forever. Runs after `npm ci` and with the build.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build } from 'esbuild'

const SOURCE = 'packages/dashboard/src'
const TARGET = 'packages/service/public'

rmSync(TARGET, { recursive: true, force: true })
mkdirSync(join(TARGET, 'assets'), { recursive: true })
const { metafile } = await build({
  entryPoints: [join(SOURCE, 'main.tsx')],
  outdir: join(TARGET, 'assets'),
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  tsconfig: 'packages/dashboard/tsconfig.json',
  bundle: true,
  minify: true,
  splitting: true,
  format: 'esm',
  target: 'es2023',
  metafile: true,
  logLevel: 'warning',
})
writeFileSync(join(TARGET, 'metafile.json'), JSON.stringify(metafile))

const [script, output] = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint) ?? []
if (!script || !output?.cssBundle) throw new Error('the dashboard was built without a script or without a style')
const page = readFileSync(join(SOURCE, 'index.html'), 'utf8')
  .replace('%script%', `/assets/${basename(script)}`)
  .replace('%style%', `/assets/${basename(output.cssBundle)}`)
writeFileSync(join(TARGET, 'index.html'), page)
cpSync(join(SOURCE, 'icon.svg'), join(TARGET, 'assets/icon.svg'))
