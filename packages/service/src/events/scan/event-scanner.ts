/**
 * Reads one event of a JSON body, strictly (RFC 8259), in one pass over its bytes: where it ends, which fields of which
 * types it has, what must be changed before it is stored, and why the engine could not keep it.
 * The bytes of values are never rewritten; that is how integers beyond 2^53 and every string survive.
 *
 * Long, because it is one thing: split, a scanner hands its position around with every byte. It does not frame bodies
 * (json-body.ts), read times (event-time.ts) or write rows (row-writer.ts).
 */
import { isUtf8 } from 'node:buffer'
import { quoted } from '../../errors.ts'
import { encodeKey, isEncodedKey } from '../fields/field-name.ts'
import type { FieldTransaction } from '../fields/field-transaction.ts'
import { type FieldNode, hashKey } from '../fields/field-tree.ts'
import {
  containerArray,
  DECIMAL_ARRAY,
  LARGE_INTEGER_ARRAY,
  nullArray,
  TYPE_BITS,
  UNSIGNED,
  whyNotTogether,
} from '../fields/field-types.ts'
import { EventShape } from './event-shape.ts'
import { FIELD_NAME_BYTES_MAX, NESTING_MAX, VALUE_BYTES_MAX } from './limits.ts'
import { isUnsigned, survivesAsFloat, whyNotFloat, whyNotInteger } from './number-text.ts'

/** Thrown where the bytes end inside the event: scan again from its start with more of them. */
export const MORE = new Error('the event goes on')

/** The bytes are not JSON. */
export class JsonSyntaxError extends Error {
  /** Byte of the scanned buffer. */
  readonly at: number
  constructor(at: number, expected: string, found: number | undefined) {
    super(`expected ${expected}, found ${found === undefined ? 'the end of the body' : nameByte(found)}`)
    this.at = at
  }
}

/** How the members of an event that may carry its time are told apart. */
export interface TimeRoles {
  /** `_time` */
  time: FieldNode
  /** The field named by the request, if any: as one key, and as a dotted name. */
  named: readonly FieldNode[]
  /** The contract's wrapper: `time`, `data`, `labels`. */
  wrapTime: FieldNode
  wrapRest: ReadonlySet<FieldNode>
}

const [QUOTE, BACKSLASH, COMMA, COLON, LBRACE, RBRACE, LBRACKET, RBRACKET, MINUS, DOT, PERCENT] = [
  0x22, 0x5c, 0x2c, 0x3a, 0x7b, 0x7d, 0x5b, 0x5d, 0x2d, 0x2e, 0x25,
]
const { integer: INTEGER, float: FLOAT, string: STRING, boolean: BOOLEAN, array: ARRAY } = TYPE_BITS
const [IS_NULL, IS_CONTAINER, IS_SCALAR] = [1, 2, 4]
const NOTHING = Buffer.alloc(0)
const MINUS_ZERO = Buffer.from('-0.0')

export class EventScanner {
  #buf: Buffer = NOTHING
  /** Next byte. */
  #pos = 0
  /** What is known so far of the event being read. */
  #shape = new EventShape(NOTHING, 0)
  #objects = 0
  #hasHighBytes = false
  /** Of the field's array that is being read, with all that is in it; see whyNotTogether. */
  #arrayKinds = 0
  #arrayLevel = 0
  /** Whether the value being read is an element of an array, rather than a member of an object. */
  #isElement = false
  readonly #root: FieldNode
  readonly #transaction: FieldTransaction
  readonly #roles: TimeRoles

  constructor(root: FieldNode, transaction: FieldTransaction, roles: TimeRoles) {
    this.#root = root
    this.#transaction = transaction
    this.#roles = roles
  }

  /**
   * Reads the value that begins at `from`. The buffer must not be longer than the bytes known.
   * @throws {JsonSyntaxError} where the bytes are not JSON; {@link MORE} where they end too early
   */
  scan(buf: Buffer, from: number): EventShape {
    const shape = new EventShape(buf, from)
    this.#shape = shape
    this.#buf = buf
    this.#pos = from
    this.#hasHighBytes = false
    this.#arrayLevel = 0
    this.#isElement = false
    if (buf[from] === LBRACE) {
      shape.isObject = true
      this.#pos++
      this.#top()
    } else {
      const found = nameByte(buf[from] as number)
      this.#element(1)
      this.#fail(`an event must be a JSON object, found a value that begins with ${found}`)
    }
    shape.end = this.#pos
    if (this.#hasHighBytes && !isUtf8(buf.subarray(from, shape.end))) this.#fail('the event is not valid UTF-8')
    return shape
  }

  #top(): void {
    const buf = this.#buf
    const shape = this.#shape
    const serial = ++this.#objects
    shape.objectId = serial
    let byte = this.#next()
    let commaBefore = -1
    if (byte === RBRACE) {
      shape.closeAt = this.#pos++
      return
    }
    for (;;) {
      if (byte !== QUOTE) this.#wrong('a field name in double quotes')
      const keyFrom = this.#pos
      const node = this.#key(this.#root)
      const keyTo = this.#pos
      this.#seen(node, serial)
      shape.memberCount++
      if (this.#next() !== COLON) this.#wrong("':'")
      this.#pos++
      byte = this.#next()
      const from = this.#pos
      const { time, named, wrapTime, wrapRest } = this.#roles
      const isNamed = named.length > 0 && named.includes(node)
      if (node === time || isNamed) this.#element(1)
      else if (node === wrapTime && byte === QUOTE) this.#string()
      else this.#value(node, 1, byte)
      const to = this.#pos
      byte = this.#next()
      const commaAt = this.#pos
      if (byte === COMMA) {
        this.#pos++
        byte = this.#next()
      } else if (byte !== RBRACE) this.#wrong("',' or '}'")
      const isLast = buf[commaAt] === RBRACE
      if (node === time || isNamed || node === wrapTime) {
        const member = { keyFrom, keyTo, from, to, commaBefore, nextFrom: isLast ? to : this.#pos }
        if (isNamed) shape.namedMember = member
        else if (node === time) shape.timeMember = member
        else {
          shape.wrapTimeMember = member
          shape.wrapperCount++
        }
      } else if (wrapRest.has(node)) shape.wrapperCount++
      if (isLast) {
        shape.closeAt = commaAt
        this.#pos = commaAt + 1
        // Only now is it known whether `time` is data.
        const wrapper = shape.wrapTimeMember
        if (wrapper && !shape.hasWrapperTime && buf[wrapper.from] === QUOTE) this.#transaction.note(wrapTime, STRING)
        return
      }
      commaBefore = commaAt
    }
  }

  /** The members of an object that is not inside an array; `pos` is behind its brace. */
  #members(parent: FieldNode, depth: number): void {
    const serial = ++this.#objects
    let byte = this.#next()
    if (byte === RBRACE) {
      this.#pos++
      return
    }
    for (;;) {
      if (byte !== QUOTE) this.#wrong('a field name in double quotes')
      const node = this.#key(parent)
      this.#seen(node, serial)
      if (this.#next() !== COLON) this.#wrong("':'")
      this.#pos++
      byte = this.#next()
      const from = this.#pos
      this.#value(node, depth, byte)
      if (this.#roles.named.includes(node)) this.#shape.namedValue = { from, to: this.#pos }
      byte = this.#next()
      if (byte === COMMA) {
        this.#pos++
        byte = this.#next()
      } else if (byte === RBRACE) {
        this.#pos++
        return
      } else this.#wrong("',' or '}'")
    }
  }

  #seen(node: FieldNode, serial: number): void {
    if (node.seenIn === serial) this.#shape.hasDuplicates = true
    node.seenIn = serial
    if (node.nameBytes > FIELD_NAME_BYTES_MAX) {
      this.#fail(`the field name ${quoted(node.name)} has ${node.nameBytes} bytes; at most ${FIELD_NAME_BYTES_MAX} are allowed`)
    }
  }

  /** Reads a key and finds its node; the hash is computed on the way, so that a known key makes no string. */
  #key(parent: FieldNode): FieldNode {
    const buf = this.#buf
    const quote = this.#pos
    let hash = 0x811c9dc5
    let i = quote + 1
    let byte = buf[i] as number
    let high = 0
    while (byte !== QUOTE && byte !== BACKSLASH && byte >= 0x20) {
      hash = Math.imul(hash ^ byte, 0x01000193)
      high |= byte
      byte = buf[++i] as number
    }
    if (high > 0x7f) this.#hasHighBytes = true
    let node: FieldNode
    if (byte === QUOTE) {
      this.#pos = i + 1
      const found = parent.find(hash, buf, quote + 1, i)
      node = found ?? this.#transaction.child(parent, buf.toString('utf8', quote + 1, i))
    } else {
      this.#string()
      const key = this.#textOf(quote, this.#pos)
      const text = Buffer.from(JSON.stringify(key).slice(1, -1))
      node = parent.find(hashKey(text, 0, text.length), text, 0, text.length) ?? this.#transaction.child(parent, text.toString())
    }
    if (node.storedKey !== undefined) this.#shape.edits.push({ from: quote, to: this.#pos, put: node.storedKey })
    return node.alias ?? node
  }

  #textOf(from: number, to: number): string {
    const text = JSON.parse(this.#buf.toString('utf8', from, to)) as string
    if (/\p{Surrogate}/u.test(text)) this.#fail('a field name holds half of a surrogate pair (\\ud800 to \\udfff alone)')
    return text
  }

  /** Any value of a field outside of arrays. */
  #value(node: FieldNode, depth: number, byte: number | undefined): void {
    if (byte === QUOTE) {
      this.#string()
      this.#transaction.note(node, STRING)
    } else if (byte === LBRACE) {
      if (depth >= NESTING_MAX) this.#skipDeep()
      else {
        this.#pos++
        this.#members(node, depth + 1)
      }
    } else if (byte === LBRACKET) {
      const from = this.#pos
      this.#arrayKinds = 0
      this.#array(depth)
      this.#sized(from, 'array')
      const kinds = node.arrayKinds | this.#arrayKinds
      // Most arrays are of no such kind.
      if (kinds !== 0) {
        const reason = whyNotTogether(kinds)
        if (reason !== undefined) this.#fail(`the field ${quoted(node.name)}: ${reason}`)
      }
      this.#transaction.note(node, ARRAY | this.#arrayKinds)
    } else {
      const type = this.#scalar(byte)
      if (type !== 0) this.#transaction.note(node, type)
    }
  }

  /** Any value inside an array, or one whose type is of no interest. @returns a bit for its kind */
  #element(depth: number): number {
    const byte = this.#buf[this.#pos]
    if (byte === LBRACE) {
      if (depth >= NESTING_MAX) this.#skipDeep()
      else this.#elementMembers(depth + 1)
      return IS_CONTAINER
    }
    if (byte === LBRACKET) {
      this.#array(depth)
      return IS_CONTAINER
    }
    if (byte === QUOTE) this.#string()
    else if (this.#scalar(byte) === 0) return IS_NULL
    return IS_SCALAR
  }

  #array(depth: number): void {
    if (depth >= NESTING_MAX) {
      this.#skipDeep()
      return
    }
    const isElement = this.#isElement
    const level = this.#arrayLevel++
    this.#isElement = true
    const kinds = this.#elements(depth)
    this.#arrayLevel--
    this.#isElement = isElement
    if (kinds === IS_NULL || kinds === (IS_NULL | IS_CONTAINER)) this.#arrayKinds |= nullArray(level)
    if ((kinds & IS_CONTAINER) !== 0) this.#arrayKinds |= containerArray(level)
  }

  #elements(depth: number): number {
    this.#pos++
    let kinds = 0
    let byte = this.#next()
    if (byte === RBRACKET) {
      this.#pos++
      return 0
    }
    for (;;) {
      kinds |= this.#element(depth + 1)
      byte = this.#next()
      if (byte === COMMA) {
        this.#pos++
        this.#next()
      } else if (byte === RBRACKET) {
        this.#pos++
        return kinds
      } else this.#wrong("',' or ']'")
    }
  }

  /** An object inside an array: its keys are no fields of their own, so they have no nodes. `pos` is at its brace. */
  #elementMembers(depth: number): void {
    const isElement = this.#isElement
    this.#isElement = false
    this.#pos++
    const keys = new Set<string>()
    let byte = this.#next()
    if (byte === RBRACE) this.#pos++
    else {
      for (;;) {
        if (byte !== QUOTE) this.#wrong('a field name in double quotes')
        this.#elementKey(keys)
        if (this.#next() !== COLON) this.#wrong("':'")
        this.#pos++
        this.#next()
        this.#element(depth)
        byte = this.#next()
        if (byte === COMMA) {
          this.#pos++
          byte = this.#next()
        } else if (byte === RBRACE) {
          this.#pos++
          break
        } else this.#wrong("',' or '}'")
      }
    }
    this.#isElement = isElement
  }

  #elementKey(keys: Set<string>): void {
    const from = this.#pos
    this.#string()
    const raw = this.#buf.subarray(from, this.#pos)
    const key = raw.includes(BACKSLASH) ? this.#textOf(from, this.#pos) : raw.toString('utf8', 1, raw.length - 1)
    if (keys.has(key)) this.#shape.hasDuplicates = true
    keys.add(key)
    if (raw.length - 2 > FIELD_NAME_BYTES_MAX)
      this.#fail(`the field name ${quoted(key)} is longer than ${FIELD_NAME_BYTES_MAX} bytes`)
    if ((raw.includes(DOT) || raw.includes(PERCENT) || raw.includes(BACKSLASH)) && isEncodedKey(key)) {
      this.#shape.edits.push({ from, to: this.#pos, put: Buffer.from(JSON.stringify(encodeKey(key))) })
    }
  }

  /** A string from its quote on; `pos` ends behind the closing one. */
  #string(): void {
    const buf = this.#buf
    const from = this.#pos
    let i = from + 1
    let high = 0
    for (;;) {
      const byte = buf[i] as number
      high |= byte
      if (byte === QUOTE) break
      if (byte === BACKSLASH) i = this.#escape(i)
      else if (byte >= 0x20) i++
      else {
        this.#pos = i
        this.#wrong('a character of a string or its closing quote (control characters must be escaped)')
      }
    }
    if (high > 0x7f) this.#hasHighBytes = true
    this.#pos = i + 1
    this.#sized(from, 'string')
  }

  /** @returns the byte behind the escape at `at`; a surrogate pair counts as one escape */
  #escape(at: number): number {
    const letter = this.#buf[at + 1]
    if (letter !== 0x75) {
      // " \ / b f n r t
      if (letter === 0x22 || letter === 0x5c || letter === 0x2f || letter === 0x62) return at + 2
      if (letter === 0x66 || letter === 0x6e || letter === 0x72 || letter === 0x74) return at + 2
      this.#pos = at + 1
      this.#wrong('one of " \\ / b f n r t u after a backslash')
    }
    const unit = this.#hex4(at + 2)
    if (unit < 0xd800 || unit > 0xdfff) return at + 6
    if (unit < 0xdc00) {
      const [slash, u] = [this.#buf[at + 6], this.#buf[at + 7]]
      if (slash === undefined || (slash === BACKSLASH && u === undefined)) throw MORE
      if (slash === BACKSLASH && u === 0x75) {
        const low = this.#hex4(at + 8)
        if (low >= 0xdc00 && low <= 0xdfff) return at + 12
      }
    }
    this.#fail('a string holds half of a surrogate pair (\\ud800 to \\udfff alone), which is not a character')
    return at + 6
  }

  #hex4(at: number): number {
    let value = 0
    for (let i = at; i < at + 4; i++) {
      const byte = this.#buf[i]
      const digit = byte === undefined ? -1 : hexOf(byte)
      if (digit < 0) {
        this.#pos = i
        this.#wrong('four hexadecimal digits after \\u')
      }
      value = value * 16 + digit
    }
    return value
  }

  /** A number or one of true, false, null. @returns its type bit, 0 for null */
  #scalar(byte: number | undefined): number {
    switch (byte) {
      case 0x74:
        this.#word('true')
        return BOOLEAN
      case 0x66:
        this.#word('false')
        return BOOLEAN
      case 0x6e:
        this.#word('null')
        return 0
      default:
        return this.#number()
    }
  }

  #word(word: string): void {
    const buf = this.#buf
    const pos = this.#pos
    for (let i = 1; i < word.length; i++) {
      if (buf[pos + i] !== word.charCodeAt(i)) {
        this.#pos = pos + i
        this.#wrong(`the word ${word}`)
      }
    }
    this.#pos = pos + word.length
  }

  #number(): number {
    const buf = this.#buf
    const from = this.#pos
    let i = from
    if (buf[i] === MINUS) i++
    const whole = i
    if (buf[i] === 0x30) i++
    else i = this.#digits(i, i === from ? 'a value (string, number, object, array, true, false or null)' : 'a digit')
    let isFloat = false
    if (buf[i] === DOT) {
      isFloat = true
      i = this.#digits(i + 1, "a digit after '.'")
    }
    let hasExponent = false
    if (buf[i] === 0x65 || buf[i] === 0x45) {
      isFloat = hasExponent = true
      i++
      if (buf[i] === 0x2b || buf[i] === MINUS) i++
      i = this.#digits(i, 'a digit of the exponent')
    }
    if (i === buf.length) throw MORE
    this.#pos = i
    if (i - from > VALUE_BYTES_MAX) this.#sized(from, 'number')
    else if (isFloat) {
      if (this.#isElement) this.#arrayKinds |= DECIMAL_ARRAY
      if (hasExponent || i - whole > 16) this.#fail(whyNotFloat(buf.toString('latin1', from, i)))
    } else if (i - whole > 15) return this.#longInteger(buf.toString('latin1', from, i))
    else if (i === from + 2 && whole > from && buf[whole] === 0x30) {
      // The engine reads -0 as the integer 0.
      this.#shape.edits.push({ from, to: i, put: MINUS_ZERO })
      if (this.#isElement) this.#arrayKinds |= DECIMAL_ARRAY
      return FLOAT
    }
    return isFloat ? FLOAT : INTEGER
  }

  #longInteger(text: string): number {
    this.#fail(whyNotInteger(text))
    if (this.#isElement && !survivesAsFloat(text)) this.#arrayKinds |= LARGE_INTEGER_ARRAY
    return isUnsigned(text) ? INTEGER | UNSIGNED : INTEGER
  }

  #digits(at: number, expected: string): number {
    const buf = this.#buf
    let i = at
    for (;;) {
      const byte = buf[i]
      if (byte === undefined || byte < 0x30 || byte > 0x39) break
      i++
    }
    if (i === at) {
      this.#pos = i
      this.#wrong(expected)
    }
    return i
  }

  /** Passes over an object or array that is nested too deep; only brackets and strings are looked at. */
  #skipDeep(): void {
    this.#fail(`the event is nested deeper than ${NESTING_MAX} levels`)
    let open = 0
    for (;;) {
      const byte = this.#buf[this.#pos]
      if (byte === undefined) throw MORE
      if (byte === QUOTE) this.#string()
      else {
        this.#pos++
        if (byte === LBRACE || byte === LBRACKET) open++
        else if ((byte === RBRACE || byte === RBRACKET) && --open === 0) return
      }
    }
  }

  #sized(from: number, what: string): void {
    const bytes = this.#pos - from
    if (bytes > VALUE_BYTES_MAX + 2) this.#fail(`a ${what} of ${bytes} bytes; at most ${VALUE_BYTES_MAX} are allowed`)
  }

  #fail(reason: string | undefined): void {
    this.#shape.failure ??= reason
  }

  /** Passes over blanks. @returns the byte at `pos`, `undefined` at the end of the buffer */
  #next(): number | undefined {
    const buf = this.#buf
    let i = this.#pos
    let byte = buf[i]
    while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) byte = buf[++i]
    this.#pos = i
    return byte
  }

  #wrong(expected: string): never {
    const found = this.#buf[this.#pos]
    if (found === undefined) throw MORE
    throw new JsonSyntaxError(this.#pos, expected, found)
  }
}

function hexOf(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}

function nameByte(byte: number): string {
  return byte > 0x20 && byte < 0x7f ? `'${String.fromCharCode(byte)}'` : `the byte 0x${byte.toString(16).padStart(2, '0')}`
}
