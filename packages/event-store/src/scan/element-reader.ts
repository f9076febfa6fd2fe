/**
 * Reads the content of arrays and maps, whose keys are no fields of their own, and finds arrays that the engine would change.
 * Deliberately not here: fields.
 */
import { quoted } from '@deployment-annotations/runtime/errors'
import { encodeKey, isEncodedKey, TYPE_BITS } from '../fields/field.ts'
import { BACKSLASH, DOT, JsonReader, LBRACE, LBRACKET, PERCENT, QUOTE, RBRACE, RBRACKET, ROUNDED } from './json-reader.ts'
import { FIELD_NAME_BYTES_MAX, NESTING_MAX } from './limits.ts'

const { string: STRING } = TYPE_BITS
/** More bits beside the type bits of scalars. */
const [IS_NULL, IS_ARRAY, IS_OBJECT] = [1 << 22, 1 << 23, 1 << 24]

/** Bits for what arrays have at a level of nesting; all levels from this one on count as one. */
const LEVELS_MAX = 14
const nullAt = (level: number) => 1 << (2 * Math.min(level, LEVELS_MAX))
const arrayAt = (level: number) => nullAt(level) << 1
const NULL_AT_ANY = 0x15555555

export abstract class ElementReader extends JsonReader {
  /**
   * Whether the engine would change the array that was read: it has no type for null beside an array, and integers over 2^53 become
   * floats where another array of the insert has decimals.
   */
  protected isChanged = false
  /** How many arrays the array being read is directly in, one in the other; an object begins anew. */
  #level = 0
  /** What these arrays have at their levels. */
  #seen = 0

  protected startArrays(): void {
    this.#level = 0
    this.isElement = false
  }

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
    if (byte === QUOTE) this.string()
    else {
      const type = this.scalar(byte)
      if (type === 0) return IS_NULL
      if (this.isElement && (type & ROUNDED) !== 0) this.isChanged = true
      return type
    }
    return STRING
  }

  /** Reads an array from its bracket on. @returns bits for its direct elements */
  protected array(depth: number): number {
    if (depth >= NESTING_MAX) {
      this.skipDeep()
      return IS_ARRAY
    }
    if (this.isElement) return this.#nestedArray(depth, this.#level + 1)
    const [level, seen] = [this.#level, this.#seen]
    this.#seen = 0
    const kinds = this.#nestedArray(depth, 0)
    if ((this.#seen & (this.#seen >> 1) & NULL_AT_ANY) !== 0) this.isChanged = true
    this.#level = level
    this.#seen = seen
    return kinds
  }

  #nestedArray(depth: number, level: number): number {
    const isElement = this.isElement
    this.isElement = true
    this.#level = level
    const kinds = this.#elements(depth)
    this.#level = level - 1
    this.isElement = isElement
    // Beside scalars or objects, each element gets a type of its own.
    if ((kinds & ~IS_ARRAY) === IS_NULL) this.#seen |= nullAt(level)
    if ((kinds & IS_ARRAY) !== 0) this.#seen |= arrayAt(level)
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

  /** Reads an object inside an array or a map, from its brace at `pos` on. Its keys are no fields, so they have no nodes. */
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
