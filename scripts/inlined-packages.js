/**
 * Puts TypeBox, with its license, into the one built file of ours that imports it, because loading its seven hundred files takes longer
 * than loading everything else that the service needs to start. Runs after the compiler, which writes that file anew when its source has
 * changed.
 * Plain JavaScript, as is all that `npm ci` runs: it runs on the Node of the machine, which may not read TypeScript.
 */
import { readFileSync } from 'node:fs'
import { build } from 'esbuild'

const file = 'packages/contract/lib/schemas/type.js'

await build({
  entryPoints: [file],
  outfile: file,
  allowOverwrite: true,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'es2023',
  banner: { js: `/*\n${readFileSync('node_modules/typebox/license', 'utf8').trim()}\n*/` },
  logLevel: 'warning',
})
