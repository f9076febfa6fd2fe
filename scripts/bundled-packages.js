/**
 * Makes the tarballs of the client, the service and the command complete: `npm pack` and `npm publish` run it in their folders. What the client
 * imports from `contract`, which is not published, travels inside as a bundled dependency, and npm packs such a dependency only
 * where it lies in the package's own `node_modules`. The service and the command have all that they import in
 * their own files (service.js, cli.js), so their packed manifests depend on none of it.
 *
 *   prepack    node ../../scripts/bundled-packages.js place     builds everything, and puts copies and that manifest there
 *   postpack   node ../../scripts/bundled-packages.js remove
 *
 * Plain JavaScript, as is all that `npm ci` runs: it runs on the Node of the machine, which may not read TypeScript.
 */
import { execSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const packages = join(root, 'packages')
/** Where the manifest of the checkout is while the packed one is in its place. */
const KEPT = 'package.json.kept'
const verbs = { place, remove }
const verb = verbs[process.argv[2]]
if (!verb) throw new Error(`expected ${Object.keys(verbs).join(' or ')}, not ${JSON.stringify(process.argv[2])}`)
verb(process.cwd())

/** @param folder of the package that is packed */
function place(folder) {
  // Removes copies that an interrupted run left, too: they would be built against.
  execSync('npm run --silent build -- packages', { cwd: root, stdio: 'inherit' })
  const packed = readManifest(folder)
  if (!packed.bundleDependencies) return replaceManifest(folder, packed)
  const hasTypes = packed.files.some((pattern) => pattern.endsWith('.d.ts'))
  removeStale(folder)
  for (const name of packed.bundleDependencies) {
    const source = join(packages, name.split('/')[1])
    removeStale(source)
    const target = join(folder, 'node_modules', name)
    const { version, license, type, sideEffects, exports } = readManifest(source)
    mkdirSync(target, { recursive: true })
    const manifest = { name, version, license, type, sideEffects, exports, files: ['lib'] }
    writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
    const isPacked = (path) => !path.includes('.tsbuildinfo') && (hasTypes || !path.endsWith('.d.ts'))
    cpSync(join(source, 'lib'), join(target, 'lib'), { recursive: true, filter: isPacked })
  }
  replaceManifest(folder, packed)
}

/** Puts the manifest of the published package in the place of the checkout's: what is in its files already is no dependency of it. */
function replaceManifest(folder, { dependencies, devDependencies: _, ...packed }) {
  const kept = packed.bundleDependencies && { dependencies }
  renameSync(join(folder, 'package.json'), join(folder, KEPT))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...packed, ...kept }, null, 2)}\n`)
}

/** Takes all of it away: where copies lie, the checkout would go on with them instead of what is in it. */
function remove() {
  rmSync(join(packages, 'client/node_modules/@deployment-annotations'), { recursive: true, force: true })
  for (const folder of ['client', 'service', 'cli'].map((name) => join(packages, name)))
    if (existsSync(join(folder, KEPT))) renameSync(join(folder, KEPT), join(folder, 'package.json'))
}

/** The compiler leaves what a source that is gone was once compiled to. */
function removeStale(folder) {
  for (const file of readdirSync(join(folder, 'lib'), { recursive: true })) {
    const source = file.replace(/\.(js|d\.ts)$/, '.ts')
    if (source !== file && !existsSync(join(folder, 'src', source))) rmSync(join(folder, 'lib', file))
  }
}

function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}
