/**
 * `npm run build [-- packages|dashboard|act|helm]`: everything that is built from the source: the packages' `lib/`, the bundles in `dist/`,
 * and the tables in the documents; or only one part of it.
 * Plain JavaScript, as is all that `npm ci` runs: it runs on the Node of the machine, which may not read TypeScript.
 */
import { execSync } from 'node:child_process'

const PACKAGES = [
  'node scripts/bundled-packages.js remove',
  'tsc -b tsconfig.build.json packages/apl',
  'node scripts/shakeable.js',
  'node scripts/service.js',
  'node scripts/cli.js',
  'node scripts/dashboard.js',
]
const PARTS = {
  all: [...PACKAGES, 'node scripts/bundle.ts', 'node scripts/tables.ts'],
  packages: PACKAGES,
  dashboard: ['node scripts/dashboard.js'],
  act: ['node .ci/build-go-tool.ts act'],
  helm: ['node .ci/build-go-tool.ts helm', 'bash .ci/kubernetes-validate'],
}
const [part = 'all'] = process.argv.slice(2)
if (!Object.hasOwn(PARTS, part)) {
  console.error(`npm run build -- ${Object.keys(PARTS).join('|')}, not ${JSON.stringify(part)}`)
  process.exit(2)
}
try {
  for (const command of PARTS[part]) execSync(command, { stdio: 'inherit' })
} catch ({ status }) {
  process.exit(status || 1)
}
