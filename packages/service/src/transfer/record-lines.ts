/**
 * Rows of records as lines of JSON, and a sum over them that says whether two places have the same rows. In these rows every
 * number is a 64-bit integer, so it is written and read as one, whatever its size.
 */
import { hash } from 'node:crypto'
import type { RecordRow } from '@deployment-annotations/records/database/all-records'

/** The last line of the records, which a cut answer lacks. */
export const END_LINE = '{"end":true}'

interface Context {
  source: string
}

const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }
const parse = JSON.parse as (text: string, reviver: (key: string, value: unknown, context: Context) => unknown) => unknown

/** @returns the same text for the same row, in whichever order its columns come */
export function toLine(row: RecordRow): string {
  const sorted = Object.fromEntries(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)))
  return JSON.stringify(sorted, (_, value: unknown) => (typeof value === 'bigint' ? rawJSON(String(value)) : value))
}

export function fromLine(line: string): RecordRow {
  return parse(line, (_, value, { source }) => (typeof value === 'number' ? BigInt(source) : value)) as RecordRow
}

/** How many rows, and the sum of the SHA-256 of each, so that their order does not matter: databases sort texts differently. */
export class RowSums {
  rows = 0
  #sum = 0n

  add(line: string): void {
    this.rows++
    this.#sum = BigInt.asUintN(256, this.#sum + BigInt(`0x${hash('sha256', line)}`))
  }

  /** Hexadecimal. */
  get sum(): string {
    return this.#sum.toString(16).padStart(64, '0')
  }
}
