/**
 * Checks regular expressions by the syntax of RE2, the engine's library, so that a bad one is an error with a place and not a failure of the
 * running query. What is accepted here, the engine accepts; a few rare spellings it would take are refused (names of uncommon scripts).
 * Deliberately not here: matching, and what a pattern costs; RE2 is linear in the text.
 */
import { CompileError, type Span } from '../error.ts'

/** The engine refuses patterns that need too much memory; none this short does, given the bound on repetitions. */
const PATTERN_LENGTH_MAX = 2_000
/** RE2's own bound, over repetitions inside one another. */
const REPETITION_MAX = 1_000
const GROUP_DEPTH_MAX = 100
/** A Unicode class compiles to so much that repeating it a thousand times is refused as too large; it counts as this many. */
const UNICODE_CLASS_WEIGHT = 50

const GROUP = /\(\?(?:P?<([A-Za-z_][0-9A-Za-z_]*)>|([imsU]*(?:-[imsU]+)?)([:)]))/y
const REPEAT = /\{(\d{1,9})(?:,(\d{0,9}))?\}/y
const ESCAPE =
  /\\(?:[dDwWsSbBAzaftnrv]|[^0-9A-Za-z_\u0080-\uffff]|x[0-9A-Fa-f]{2}|x\{(?:0?[0-9A-Fa-f]{1,5}|10[0-9A-Fa-f]{4})\}|[pP](?:[LMNPSZC]|\{\^?(?:L[ultmo]?|M[nce]?|N[dlo]?|P[cdseifo]?|S[mcko]?|Z[slp]?|C[cf]?|Latin|Greek|Cyrillic|Arabic|Hebrew|Han|Hiragana|Katakana|Hangul|Thai)\})|0[0-7]{0,2})/y
const POSIX = /\[:\^?(?:alnum|alpha|ascii|blank|cntrl|digit|graph|lower|print|punct|space|upper|word|xdigit):\]/y
/** Escapes that are sets, and cannot be an end of a range. */
const SET_ESCAPE = /^\\[dDwWsSpP]/
const ANCHOR_ESCAPE = /^\\[bBAz]/

/**
 * The pattern in which `.` stops at the end of a line, as in RE2 by itself; the engine lets it run on. Patterns without a `.` stay
 * as they are, because the engine looks for their fixed parts first.
 */
export function lineWise(pattern: string): string {
  const bare = pattern.replace(/\\./gs, 'a').replace(/\[\^?\]?[^\]]*\]?/g, '')
  return bare.includes('.') ? `(?-s)${pattern}` : pattern
}

/** A group with a name, and the how-manieth group it is. */
interface NamedGroup {
  readonly name: string
  readonly group: number
}

/**
 * Refuses what RE2 would refuse.
 * @returns how many groups the pattern captures, and which of them have names
 * @throws CompileError `syntax`
 */
export function checkRegex(pattern: string, span: Span): { readonly groups: number; readonly named: readonly NamedGroup[] } {
  const checker = new Checker(pattern)
  const problem = checker.check()
  if (problem === undefined) return checker
  throw new CompileError('syntax', `the regular expression is not valid: ${problem}`, span, 'the syntax is that of RE2')
}

class Checker {
  groups = 0
  readonly named: NamedGroup[] = []
  readonly #text: string
  readonly #names = new Set<string>()
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  /** What is wrong, or `undefined`. */
  check(): string | undefined {
    if (this.#text.length > PATTERN_LENGTH_MAX) return `it is longer than ${PATTERN_LENGTH_MAX} characters`
    // For each open group, the largest weight of an item inside it, repetitions multiplied.
    const inner: number[] = [1]
    // The product of the last item, which a repetition would multiply; undefined where there is nothing to repeat.
    let last: number | undefined
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at] as string
      if (char === '(') {
        const problem = this.#open(inner)
        if (problem !== undefined) return problem
        last = undefined
      } else if (char === ')') {
        if (inner.length === 1) return 'a ")" closes nothing'
        last = inner.pop() as number
        inner.push(Math.max(inner.pop() as number, last))
        this.#at += 1
      } else if (char === '|') {
        last = undefined
        this.#at += 1
      } else if (char === '*' || char === '+' || char === '?' || (char === '{' && this.#match(REPEAT))) {
        if (last === undefined) return `nothing comes before "${char}"`
        const times = this.#repeat(char)
        if (times === undefined) return 'a repetition is malformed or too large'
        if (times * last > REPETITION_MAX) return `repetitions inside one another exceed ${REPETITION_MAX}`
        inner.push(Math.max(inner.pop() as number, times * last))
        // One repetition cannot repeat another.
        last = undefined
      } else {
        const start = this.#at
        const problem = char === '[' ? this.#set() : this.#single(char)
        if (problem !== undefined) return problem
        last = /\\p/i.test(this.#text.slice(start, this.#at)) ? UNICODE_CLASS_WEIGHT : 1
        inner.push(Math.max(inner.pop() as number, last))
      }
    }
    return inner.length > 1 ? 'a "(" is not closed' : undefined
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at
    return pattern.exec(this.#text) ?? undefined
  }

  #open(inner: number[]): string | undefined {
    if (inner.length > GROUP_DEPTH_MAX) return 'groups are nested too deeply'
    if (this.#text[this.#at + 1] !== '?') {
      this.groups += 1
      this.#at += 1
      inner.push(1)
      return undefined
    }
    const found = this.#match(GROUP)
    if (!found) return 'a "(?" is not a group or flags (lookahead and lookbehind are not supported)'
    const [whole, name, flags, end] = found
    if (flags === '' && end === ')') return 'flags are missing after "(?"'
    if (name !== undefined && this.#names.has(name)) return `the group "${name}" exists twice`
    if (name !== undefined) {
      this.#names.add(name)
      this.groups += 1
      this.named.push({ name, group: this.groups })
    }
    this.#at += whole.length
    if (end !== ')') inner.push(1)
    return undefined
  }

  #repeat(char: string): number | undefined {
    let times = 1
    if (char === '{') {
      const [whole, low, high] = this.#match(REPEAT) as RegExpExecArray
      const least = Number(low)
      const most = high === undefined || high === '' ? least : Number(high)
      if (most < least || most > REPETITION_MAX) return undefined
      times = Math.max(1, most)
      this.#at += whole.length
    } else {
      this.#at += 1
    }
    if (this.#text[this.#at] === '?') this.#at += 1
    return times
  }

  #single(char: string): string | undefined {
    if (char !== '\\') {
      this.#at += 1
      return undefined
    }
    const found = this.#match(ESCAPE)
    if (!found) return `"${this.#text.slice(this.#at, this.#at + 2)}" is not an escape (there are no references back)`
    this.#at += found[0].length
    return undefined
  }

  /** "[" ["^"] items "]", where a "]" that comes first is an item. */
  #set(): string | undefined {
    this.#at += this.#text[this.#at + 1] === '^' ? 2 : 1
    for (let first = true; this.#at < this.#text.length; first = false) {
      if (this.#text[this.#at] === ']' && !first) {
        this.#at += 1
        return undefined
      }
      const posix = this.#match(POSIX)
      if (posix) {
        this.#at += posix[0].length
        continue
      }
      if (this.#text.startsWith('[:', this.#at)) return 'a named set is not known'
      const problem = this.#range(first)
      if (problem !== undefined) return problem
    }
    return 'a "[" is not closed'
  }

  #range(first: boolean): string | undefined {
    // A hyphen is an item only where it cannot be read as a range.
    if (this.#text[this.#at] === '-' && !first && this.#text[this.#at + 1] !== ']') return 'a "-" in a set is ambiguous'
    const low = this.#item()
    if (low === undefined) return 'a set is malformed'
    if (this.#text[this.#at] !== '-' || this.#text[this.#at + 1] === ']' || this.#at + 1 >= this.#text.length) return undefined
    if (low === 'set') return 'a range begins with a set'
    this.#at += 1
    const high = this.#item()
    return high === undefined || high === 'set' || high < low ? 'a range is malformed' : undefined
  }

  /** Code point of one item, or that it is a set of its own. */
  #item(): number | 'set' | undefined {
    if (this.#text[this.#at] !== '\\') {
      const code = this.#text.codePointAt(this.#at)
      if (code !== undefined) this.#at += code > 0xffff ? 2 : 1
      return code
    }
    const found = this.#match(ESCAPE)?.[0]
    if (found === undefined || ANCHOR_ESCAPE.test(found)) return undefined
    this.#at += found.length
    if (SET_ESCAPE.test(found)) return 'set'
    if (found.startsWith('\\x')) return Number.parseInt(found.replace(/[\\x{}]/g, ''), 16)
    if (found.startsWith('\\0')) return Number.parseInt(found.slice(1), 8)
    return CONTROLS[found[1] as string] ?? (found.codePointAt(1) as number)
  }
}

const CONTROLS: Record<string, number> = { a: 7, f: 12, t: 9, n: 10, r: 13, v: 11 }

/** Escapes and sets of characters are passed over whole: their brackets are characters. */
const PIECE = /\\[\s\S]|\[\^?\]?(?:\\[\s\S]|\[:\^?[a-z]+:\]|[^\]\\])*\]?|\((?:\?P?<[^>(]*>)?|[\s\S]/g

/** The same regular expression with one of its groups as its only one; with none for group 0. The engine need not gather the others. */
export function capturingOnly(regex: string, group: number): string {
  let groups = 0
  return regex.replace(PIECE, (piece, at: number) => {
    const captures = piece[0] === '(' && (piece.length > 1 || regex[at + 1] !== '?')
    if (!captures) return piece
    groups += 1
    return groups === group ? '(' : '(?:'
  })
}
