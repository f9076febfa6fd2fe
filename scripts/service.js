/**
 * Builds the service: `packages/service/src/` and all that it imports into a few files in `packages/service/lib/`, with the licenses
 * of what is in them. A start reads those instead of a thousand modules, which took most of its time; and who installs the service
 * gets two packages. Subcommands are files of their own, loaded when they are called.
 * Runs after the compiler has made the contract and the query language.
 * Plain JavaScript, as is all that `npm ci` runs: it runs on the Node of the machine, which may not read TypeScript.
 */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { foldersIn, readLicenses } from './licenses.js'

const FOLDER = 'packages/service'
const LIB = join(FOLDER, 'lib')
/** The embedded engine has native code, and may be left out; the other one is what a dependency tries first. */
const EXTERNAL = ['chdb', 'pg-native']
/** Modules of the older kind ask for `require`, which modules of the newer kind do not have. */
const REQUIRE = `import { createRequire as createRequireOfModule } from 'node:module'
const require = createRequireOfModule(import.meta.url)`

rmSync(LIB, { recursive: true, force: true })
const { metafile } = await build({
  entryPoints: [join(FOLDER, 'src/main.ts')],
  outdir: LIB,
  external: EXTERNAL,
  banner: { js: REQUIRE },
  tsconfig: join(FOLDER, 'tsconfig.json'),
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22.18',
  metafile: true,
  logLevel: 'warning',
})
writeFileSync(join(LIB, 'licenses.txt'), readLicenses(foldersIn(metafile)))
