/**
 * Writes events into blocks of rows, as the engine stores them, so that the engine need not parse the scanned JSON again.
 */
import { TYPE_BITS, UNSIGNED } from '../fields/field.ts'
import type { ByteWriter } from '../native/byte-writer.ts'
import { ARRAYS_OF, type EventBlocks, type RowEnvelope, type ScalarType, type TypedValues } from '../native/event-block.ts'
import { ESCAPED, type SourcedValues, type Value } from '../scan/event-values.ts'
import { skipWhitespace } from '../scan/json-reader.ts'
import { EXACT_CHARACTERS, readNumber } from '../scan/numbers.ts'

const { integer: INTEGER, float: FLOAT, string: STRING, boolean: BOOLEAN, array: ARRAY } = TYPE_BITS
const [QUOTE, BACKSLASH, COMMA, RBRACKET, SPACE, LOWER_N, LOWER_T] = [0x22, 0x5c, 0x2c, 0x5d, 0x20, 0x6e, 0x74]

/** Adds a row. @param sources its values; those of each are of other fields */
export function appendRow(blocks: EventBlocks, sources: readonly SourcedValues[], envelope: RowEnvelope): void {
  let at = 0
  for (const { buf, values } of sources) {
    for (let i = 0; i < values.length; i++) {
      const { node, kind, from, to } = values.items[i] as Value
      const type = typeOf(kind)
      const isArray = (kind & ARRAY) !== 0
      const written = blocks.valuesAt(at++, node.path, isArray ? ARRAYS_OF[type] : type, to - from)
      if (isArray) writeArray(written, buf, kind, from, to)
      else writeScalar(written.out, buf, kind, from, to)
    }
    for (const { node, text } of values.rest) blocks.addRest(node.path, text)
  }
  blocks.endRow(envelope)
}

/** @param kind of a value, or of an array, whose elements are of one type, whole numbers beside decimals, or nothing */
function typeOf(kind: number): ScalarType {
  if ((kind & FLOAT) !== 0) return 'Float64'
  if ((kind & UNSIGNED) !== 0) return 'UInt64'
  if ((kind & INTEGER) !== 0) return 'Int64'
  return (kind & BOOLEAN) !== 0 ? 'Bool' : 'String'
}

function writeScalar(out: ByteWriter, buf: Buffer, kind: number, from: number, to: number): void {
  if ((kind & STRING) !== 0) {
    if ((kind & ESCAPED) === 0) out.string(buf, from + 1, to - 1)
    else out.text(JSON.parse(buf.toString('utf8', from, to)) as string)
  } else if ((kind & FLOAT) !== 0) out.float64(readNumber(buf, from, to))
  else if ((kind & INTEGER) !== 0) {
    if (to - from <= EXACT_CHARACTERS) out.int64(readNumber(buf, from, to))
    else out.bigInt64(BigInt(buf.toString('latin1', from, to)))
  } else out.byte(buf[from] === LOWER_T ? 1 : 0)
}

/** Writes an array of valid JSON. */
function writeArray(values: TypedValues, buf: Buffer, kind: number, from: number, to: number): void {
  const last = to - 1
  let at = skipWhitespace(buf, from + 1)
  while (at < last) {
    const isNull = buf[at] === LOWER_N
    const end = buf[at] === QUOTE ? endOfString(buf, at) : endOfWord(buf, at)
    values.element(isNull)
    if (!isNull) writeScalar(values.out, buf, kind, at, end)
    // The position is at the next comma, or at the bracket.
    at = skipWhitespace(buf, skipWhitespace(buf, end) + 1)
  }
  values.endArray()
}

function endOfString(buf: Buffer, from: number): number {
  let at = from + 1
  while (buf[at] !== QUOTE) at += buf[at] === BACKSLASH ? 2 : 1
  return at + 1
}

function endOfWord(buf: Buffer, from: number): number {
  let at = from
  while (buf[at] !== COMMA && buf[at] !== RBRACKET && (buf[at] as number) > SPACE) at++
  return at
}
