/**
 * Reads the content of arrays and maps, whose keys are no fields of their own. Deliberately not here: fields.
 */
import { quoted } from '@deployment-annotations/runtime/errors'
import { encodeKey, isEncodedKey, TYPE_BITS } from '../fields/field.ts'
import { BACKSLASH, DOT, JsonReader, LBRACE, LBRACKET, PERCENT, QUOTE, RBRACE, RBRACKET } from './json-reader.ts'
import { FIELD_NAME_BYTES_MAX, NESTING_MAX } from './limits.ts'

const { string: STRING, integer: INTEGER, float: FLOAT, boolean: BOOLEAN } = TYPE_BITS
/** More bits beside the type bits of scalars. */
const [IS_NULL, IS_ARRAY, IS_OBJECT] = [1 << 22, 1 << 23, 1 << 24]

/** What the elements of an array may be that has a type in the engine: scalars of one type, or numbers, and null. */
const TYPED = new Set([0, STRING, INTEGER, FLOAT, BOOLEAN, INTEGER | FLOAT])

/** @param kinds bits of all elements of an array */
export const haveType = (kinds: number): boolean => TYPED.has(kinds & ~IS_NULL)

export abstract class ElementReader extends JsonReader {
  /** Reads any value inside an array, or one whose type does not matter. @returns bits for its kind */
  protected element(depth: number): number {
    const byte = this.buf[this.pos]
    if (byte === LBRACE) {
      if (depth >= NESTING_MAX) this.skipDeep()
      else this.#elementMembers(depth + 1)
      return IS_OBJECT
    }
    if (byte === LBRACKET) {
      this.array(depth)
      return IS_ARRAY
    }
    if (byte !== QUOTE) return this.scalar(byte) || IS_NULL
    this.string()
    return STRING
  }

  /** Reads an array from its bracket on. @returns bits for its direct elements */
  protected array(depth: number): number {
    if (depth >= NESTING_MAX) {
      this.skipDeep()
      return IS_ARRAY
    }
    this.pos++
    if (!this.isFilled(RBRACKET)) return 0
    let kinds = 0
    do kinds |= this.element(depth + 1)
    while (this.hasMore(RBRACKET))
    return kinds
  }

  /** Reads an object inside an array or a map, from its brace at `pos` on. Its keys are no fields, so they have no nodes. */
  #elementMembers(depth: number): void {
    this.pos++
    if (!this.isFilled(RBRACE)) return
    const keys = new Set<string>()
    do {
      this.#elementKey(keys)
      this.colon()
      this.element(depth)
    } while (this.hasMore(RBRACE))
  }

  #elementKey(keys: Set<string>): void {
    const from = this.pos
    if (this.buf[from] !== QUOTE) this.noKey()
    this.string()
    const raw = this.buf.subarray(from, this.pos)
    const key = raw.includes(BACKSLASH) ? this.textOf(from, this.pos) : raw.toString('utf8', 1, raw.length - 1)
    if (keys.has(key)) this.shape.hasDuplicates = true
    keys.add(key)
    if (raw.length - 2 > FIELD_NAME_BYTES_MAX)
      this.fail(`the field name ${quoted(key)} is longer than ${FIELD_NAME_BYTES_MAX} bytes`)
    if ((raw.includes(DOT) || raw.includes(PERCENT) || raw.includes(BACKSLASH)) && isEncodedKey(key)) {
      this.shape.edits.push({ from, to: this.pos, put: Buffer.from(JSON.stringify(encodeKey(key))) })
    }
  }
}
