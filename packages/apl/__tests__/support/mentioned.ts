/** A catalogue that has whatever a query mentions. Deliberately not here: sensible types; every field may hold anything. */

import type { Dataset } from '../../src/compile.ts'
import type { QueryTree } from '../../src/tree/ast.ts'
import { dottedName } from '../../src/tree/expression-name.ts'

export const ANYTHING: ReadonlySet<string> = new Set(['integer', 'float', 'string', 'boolean', 'array', 'map'])

export function catalogueFor(query: QueryTree): Map<string, Dataset> {
  const datasets = new Set<string>()
  const fields = new Map<string, ReadonlySet<string>>()
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { kind, name, pattern } = node as { kind?: string; name?: unknown; pattern?: unknown }
    if (kind === 'dataset') datasets.add((node as { held?: true }).held ? heldName(String(name), query) : String(name))
    if (kind === 'dataset-pattern') datasets.add(String(pattern).replaceAll('*', 'any'))
    if (kind !== 'dataset-pattern' && typeof pattern === 'string' && !pattern.includes('*')) fields.set(pattern, ANYTHING)
    const dotted = kind === 'name' || kind === 'member' ? dottedName(node as never) : undefined
    if (dotted !== undefined) fields.set(dotted.replace(/^\$(?:left|right)\./, ''), ANYTHING)
    for (const child of Object.values(node)) visit(child)
  }
  visit(query)
  for (const { name } of query.lets) fields.delete(name)
  for (const system of ['_time', '_sysTime']) fields.delete(system)
  return new Map([...datasets].map((name) => [name, { name, table: 'ds_any', fields }]))
}

/** The name that `table(parameter)` reads. */
function heldName(name: string, { lets }: QueryTree): string {
  const value = lets.find((statement) => statement.name === name)?.value
  return value?.kind === 'literal' && value.value.type === 'string' ? value.value.value : name
}
