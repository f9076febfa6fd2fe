/**
 * Sample data for any query: a few events that have each field that the query mentions, with values of several types.
 * Deliberately not here: sensible answers. A query that runs over them is shown to be one that the engine takes.
 */

import type { Dataset } from '../../src/compile.ts'
import type { QueryTree } from '../../src/tree/ast.ts'
import type { Engine, StoredEvent } from '../support/engine.ts'
import { catalogueFor } from '../support/mentioned.ts'

export const NOW_NS = 1_767_225_600_000_000_000n
const MINUTE_NS = 60_000_000_000n
/** A field has one of these in each event. */
const VALUES: readonly unknown[] = ['GET /api/users?id=1', 200, 0.25, true, ['a', 'b'], '{"a":{"b":1}}', '10.1.2.3', undefined]

let tables = 0

/** Stores the sample, and says what is in it. */
export async function loadSample(query: QueryTree, engine: Engine): Promise<Map<string, Dataset>> {
  const named = catalogueFor(query)
  const fields = [...named.values()][0]?.fields ?? new Map<string, ReadonlySet<string>>()
  // A name below another cannot be stored beside a value of its own.
  const leaves = [...fields.keys()].filter((name) => ![...fields.keys()].some((other) => other.startsWith(`${name}.`)))
  const events = VALUES.map(
    (_, row): StoredEvent => ({
      timeNs: NOW_NS - BigInt(row + 1) * MINUTE_NS,
      data: Object.fromEntries(leaves.map((name, at) => [name, VALUES[(row + at) % VALUES.length]])),
    }),
  )
  const table = `ds_corpus_${tables++}`
  const datasets = new Map([...named].map(([name, dataset]) => [name, { ...dataset, table }]))
  const [first] = datasets.values()
  if (first) await engine.load(first, events)
  return datasets
}
