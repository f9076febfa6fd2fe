/**
 * Writes a program that compiles where each type that the packed client exports is the type that the checkout's has, whose schemas are
 * TypeBox's own:
 *
 *   node .ci/same-types.js CHECKOUT/packages/client > same-types.ts
 */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const folder = resolve(process.argv[2] ?? '')
const index = readFileSync(join(folder, 'lib/index.d.ts'), 'utf8')
const names = [...index.matchAll(/^export (type )?\{ ([^}]+) \}/gm)].flatMap(([, all, list = '']) =>
  list
    .split(/, ?/)
    .filter(Boolean)
    .flatMap((name) => (all ? [name] : name.startsWith('type ') ? [name.slice(5)] : [])),
)
if (names.length < 40) throw new Error(`only ${names.length} types are exported`)
console.log(`import type * as Packed from '@deployment-annotations/client'
import type * as Ours from ${JSON.stringify(join(folder, 'lib/index.js'))}

// Identical types alone are assignable inside of these two signatures.
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false
${names.map((name) => `export const is${name}: Same<Packed.${name}, Ours.${name}> = true`).join('\n')}`)
