/**
 * Real records, and what may go wrong with a transaction of theirs.
 */
import { type KyselyPlugin, type RootOperationNode, SelectQueryNode } from 'kysely'
import type { Records } from '../src/database/records.ts'
import type { Tables } from '../src/schema/tables.ts'

/** What becomes of the transactions of a service. */
export interface Faults {
  /** So many more end with an error after their last statement, as where the disk is full. */
  failing: number
}

/** Records whose transactions fail when told to: all of their statements are made, and nothing is committed. */
export function failingRecords(records: Records): { records: Records; faults: Faults } {
  const faults: Faults = { failing: 0 }
  return {
    faults,
    records: {
      ...records,
      transaction: (work) =>
        records.transaction(async (db) => {
          const value = await work(db)
          if (faults.failing <= 0) return value
          faults.failing--
          throw new Error('no space left')
        }),
    },
  }
}

/**
 * Records of a process that dies in a transaction: so many are made before it. Nothing that comes after it happens, and nobody
 * learns of it.
 * @param isCommitted whether it dies after that transaction's commit, or before its first statement
 */
export function dyingRecords(records: Records, { after, isCommitted }: { after: number; isCommitted: boolean }) {
  let left = after
  let die = () => {}
  const dead = new Promise<void>((resolve) => {
    die = resolve
  })
  const ended = new AbortController()
  const hang = <T>() =>
    new Promise<T>((_, reject) => {
      if (ended.signal.aborted) reject(ended.signal.reason)
      ended.signal.addEventListener('abort', () => reject(ended.signal.reason))
    })
  const dying: Records = {
    ...records,
    async transaction(work) {
      if (left > 0) {
        left--
        return records.transaction(work)
      }
      if (left === 0 && isCommitted) {
        left--
        await records.transaction(work)
      }
      left = -1
      die()
      return hang()
    },
  }
  return { records: dying, dead, end: () => ended.abort(new Error('the process is dead')) }
}

/** Records of which a table is read only after `onRead`; what that throws is what the records say. */
export function faultyReads(records: Records, table: keyof Tables, onRead: () => void): Records {
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      if (reads(node, table)) onRead()
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return { ...records, read: records.read.withPlugin(plugin) }
}

function reads(node: RootOperationNode, table: keyof Tables): boolean {
  const text = (part: unknown) => JSON.stringify(part, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  return SelectQueryNode.is(node) && text(node.from).includes(`"name":"${table}"`)
}
