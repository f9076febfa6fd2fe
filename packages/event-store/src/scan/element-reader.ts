/**
 * Reads the content of arrays, whose keys are no fields of their own, and collects only the types that must not meet in one field.
 * Deliberately not here: fields.
 */
import { quoted } from '@deployment-annotations/runtime/errors'
import {
  containerArray,
  DECIMAL_ARRAY,
  encodeKey,
  isEncodedKey,
  LARGE_INTEGER_ARRAY,
  nullArray,
  TYPE_BITS,
} from '../fields/field.ts'
import { BACKSLASH, DOT, JsonReader, LBRACE, LBRACKET, PERCENT, QUOTE, RBRACE, RBRACKET, ROUNDED } from './json-reader.ts'
import { FIELD_NAME_BYTES_MAX, NESTING_MAX } from './limits.ts'

const { float: FLOAT, string: STRING } = TYPE_BITS
/** More bits beside the type bits of scalars. */
const [IS_NULL, IS_CONTAINER] = [1 << 22, 1 << 23]

export abstract class ElementReader extends JsonReader {
  /** The kinds in the field's array being read; see whyNotTogether. */
  protected arrayKinds = 0
  #arrayLevel = 0

  protected startArrays(): void {
    this.#arrayLevel = 0
    this.isElement = false
  }

  /** Reads any value inside an array, or one whose type does not matter. @returns bits for its kind */
  protected element(depth: number): number {
    const byte = this.buf[this.pos]
    if (byte === LBRACE) {
      if (depth >= NESTING_MAX) this.skipDeep()
      else this.#elementMembers(depth + 1)
      return IS_CONTAINER
    }
    if (byte === LBRACKET) {
      this.array(depth)
      return IS_CONTAINER
    }
    if (byte === QUOTE) this.string()
    else {
      const type = this.scalar(byte)
      if (type === 0) return IS_NULL
      if (this.isElement && (type & FLOAT) !== 0) this.arrayKinds |= DECIMAL_ARRAY
      if (this.isElement && (type & ROUNDED) !== 0) this.arrayKinds |= LARGE_INTEGER_ARRAY
      return type
    }
    return STRING
  }

  /** Reads an array from its bracket on. @returns bits for its direct elements */
  protected array(depth: number): number {
    if (depth >= NESTING_MAX) {
      this.skipDeep()
      return IS_CONTAINER
    }
    const isElement = this.isElement
    const level = this.#arrayLevel++
    this.isElement = true
    const kinds = this.#elements(depth)
    this.#arrayLevel--
    this.isElement = isElement
    if ((kinds & ~IS_CONTAINER) === IS_NULL) this.arrayKinds |= nullArray(level)
    if ((kinds & IS_CONTAINER) !== 0) this.arrayKinds |= containerArray(level)
    return kinds
  }

  #elements(depth: number): number {
    this.pos++
    if (!this.isFilled(RBRACKET)) return 0
    let kinds = 0
    do kinds |= this.element(depth + 1)
    while (this.hasMore(RBRACKET))
    return kinds
  }

  /** Reads an object inside an array, from its brace at `pos` on. Its keys are no fields, so they have no nodes. */
  #elementMembers(depth: number): void {
    const isElement = this.isElement
    this.isElement = false
    this.pos++
    const keys = new Set<string>()
    if (this.isFilled(RBRACE)) {
      do {
        this.#elementKey(keys)
        this.colon()
        this.element(depth)
      } while (this.hasMore(RBRACE))
    }
    this.isElement = isElement
  }

  /** Refuses the event for a key that is no field by itself. */
  protected failKey(key: string): void {
    this.fail(`the field name ${quoted(key)} is longer than ${FIELD_NAME_BYTES_MAX} bytes`)
  }

  #elementKey(keys: Set<string>): void {
    const from = this.pos
    if (this.buf[from] !== QUOTE) this.noKey()
    this.string()
    const raw = this.buf.subarray(from, this.pos)
    const key = raw.includes(BACKSLASH) ? this.textOf(from, this.pos) : raw.toString('utf8', 1, raw.length - 1)
    if (keys.has(key)) this.shape.hasDuplicates = true
    keys.add(key)
    if (raw.length - 2 > FIELD_NAME_BYTES_MAX) this.failKey(key)
    if ((raw.includes(DOT) || raw.includes(PERCENT) || raw.includes(BACKSLASH)) && isEncodedKey(key)) {
      this.shape.edits.push({ from, to: this.pos, put: Buffer.from(JSON.stringify(encodeKey(key))) })
    }
  }
}
