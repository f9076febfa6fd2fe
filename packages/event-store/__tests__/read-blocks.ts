/**
 * Reads blocks of rows in the engine's format Native, without the code that joins them.
 */
import { BlockReader } from '../src/native/block-reader.ts'

interface StoredRow {
  /** JSON text, with keys as the engine has them. */
  data: string
  /** Nanoseconds. */
  time: string
  rest: Record<string, string>
}

const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }
const ARRAY = 'Array(Nullable('

const many = <T>(count: number, read: () => T): T[] => Array.from({ length: count }, read)

export function readBlocks(blocks: readonly Buffer[]): StoredRow[] {
  const rows: StoredRow[] = []
  for (const reader = new BlockReader(Buffer.concat(blocks)); !reader.isAtEnd; ) rows.push(...readBlock(reader))
  return rows
}

function readBlock(reader: BlockReader): StoredRow[] {
  const [columns, count] = [reader.varUint(), reader.varUint()]
  const data = readData(reader, count)
  const [times = []] = many(3, () => {
    reader.skipStrings(2)
    return many(count, () => String(eight(reader).readBigInt64LE()))
  })
  if (columns > 4) reader.skipStrings(2)
  const ends = columns > 4 ? many(count, () => reader.int64()) : []
  const [names = [], texts = []] = many(2, () => many(ends.at(-1) ?? 0, () => String(reader.string())))
  return data.map((members, row) => {
    const pairs = names.map((name, index) => [name, texts[index] as string] as const)
    return {
      data: JSON.stringify(members),
      time: times[row] as string,
      rest: Object.fromEntries(pairs.slice(ends[row - 1] ?? 0, ends[row])),
    }
  })
}

function readData(reader: BlockReader, count: number): object[] {
  const rows = many<Record<string, unknown>>(count, () => Object.create(null))
  reader.skipStrings(2)
  eight(reader)
  const paths = many(reader.varUint(), () => String(reader.string()))
  const types = paths.map(() => {
    eight(reader)
    return many(reader.varUint(), () => String(reader.string()))
  })
  for (const [at, path] of paths.entries()) {
    const indexes = many(count, () => reader.byte())
    const values = (types[at] ?? []).map((type, of) => readValues(reader, type, indexes.filter((index) => index === of).length))
    for (const [row, index] of indexes.entries())
      if (index < values.length) put(rows[row] as Record<string, unknown>, path.split('.'), values[index]?.shift())
  }
  return rows
}

/** @returns values as JSON takes them */
function readValues(reader: BlockReader, type: string, count: number): unknown[] {
  if (!type.startsWith(ARRAY)) return many(count, () => readScalar(reader, type))
  const ends = many(count, () => reader.int64())
  const nulls = many(ends.at(-1) ?? 0, () => reader.byte() === 1)
  const items = nulls.map((isNull) => [readScalar(reader, type.slice(ARRAY.length, -2)), isNull] as const)
  const all = items.map(([item, isNull]) => (isNull ? null : item))
  return ends.map((end, index) => all.slice(ends[index - 1] ?? 0, end))
}

function readScalar(reader: BlockReader, type: string): unknown {
  if (type === 'String') return String(reader.string())
  if (type === 'Bool') return reader.byte() === 1
  const bytes = eight(reader)
  if (type === 'Float64') return rawJSON(Object.is(bytes.readDoubleLE(), -0) ? '-0.0' : String(bytes.readDoubleLE()))
  return rawJSON(String(type === 'Int64' ? bytes.readBigInt64LE() : bytes.readBigUInt64LE()))
}

function eight(reader: BlockReader): Buffer {
  reader.at += 8
  return reader.slice(reader.at - 8)
}

function put(object: Record<string, unknown>, [key = '', ...below]: readonly string[], value: unknown): void {
  const inner = below.length === 0 ? value : (object[key] ?? Object.create(null))
  object[key] = inner
  if (below.length > 0) put(inner as Record<string, unknown>, below, value)
}
