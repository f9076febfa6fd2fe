/**
 * Puts packages of others into the one built file of ours that imports each, with its license: TypeBox, because loading its seven hundred
 * files takes longer than loading everything else that the service needs to start, and the CSV parser, which has four copies of itself in
 * its package. Runs after the compiler, which writes those files anew when their sources have changed.
 * Plain JavaScript, as is all that `npm ci` runs: it runs on the Node of the machine, which may not read TypeScript.
 */
import { readFileSync } from 'node:fs'
import { build } from 'esbuild'

const INLINED = {
  'packages/contract/lib/schemas/type.js': 'node_modules/typebox/license',
  'packages/client/lib/csv.js': 'node_modules/csv-parse/LICENSE',
}

for (const [file, license] of Object.entries(INLINED)) {
  await build({
    entryPoints: [file],
    outfile: file,
    allowOverwrite: true,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'es2023',
    banner: { js: `/*\n${readFileSync(license, 'utf8').trim()}\n*/` },
    logLevel: 'warning',
  })
}
