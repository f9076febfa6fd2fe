/**
 * Simple SELECT statements of SQL, read into their model.
 * Deliberately not here: which statements are not simple; see `sql-model.ts`.
 */
import { CLAUSES, type SqlExpression, type SqlModel, type SqlTable } from './sql-model.ts'

const TOKEN =
  /(?:\s|--[^\n]*(?:\n|$))*(?:('(?:[^']|'')*')|("(?:[^"]|"")*"|`[^`]*`)|(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|([A-Za-z_][\w$]*)|(<>|!=|<=|>=|\|\||[-+*/%=<>(),.;])|$)/y
const COMPARISONS = new Set(['=', '<>', '!=', '<', '<=', '>', '>='])
const DEPTH_MAX = 32

type Kind = 'text' | 'name' | 'number' | 'word' | 'symbol' | 'end'
interface Token {
  readonly kind: Kind
  readonly text: string
}

function tokensOf(sql: string): Token[] {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < sql.length) {
    const at = TOKEN.lastIndex
    const [whole, text, name, number, word, symbol] = TOKEN.exec(sql) ?? []
    if (whole === undefined) throw new SqlError(`"${sql.slice(at).trim().slice(0, 20)}"`)
    if (text !== undefined) tokens.push({ kind: 'text', text: text.slice(1, -1).replaceAll("''", "'") })
    else if (name !== undefined) tokens.push({ kind: 'name', text: name.slice(1, -1).replaceAll('""', '"') })
    else if (number !== undefined) tokens.push({ kind: 'number', text: number })
    else if (word !== undefined) tokens.push({ kind: 'word', text: word })
    else if (symbol !== undefined) tokens.push({ kind: 'symbol', text: symbol })
    else break
  }
  return [...tokens, { kind: 'end', text: 'the end' }]
}

/** What the statement has that is not read: the message is that part. */
export class SqlError extends Error {}

/** @throws SqlError where the text is no simple SELECT statement */
export function parseSql(sql: string): SqlModel {
  return new SqlParser(tokensOf(sql)).statement()
}

class SqlParser {
  readonly #tokens: readonly Token[]
  #at = 0
  #depth = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  /** "SELECT" ["DISTINCT"] columns ["FROM" tables] ["WHERE" …] ["GROUP" "BY" …] ["HAVING" …] ["ORDER" "BY" …] ["LIMIT" n] ["OFFSET" n] [";"] */
  statement(): SqlModel {
    this.expect('select')
    const distinct = this.accept('distinct')
    const columns = this.list(() => this.named(this.expression()))
    const from = this.accept('from') ? this.tables() : undefined
    const where = this.accept('where') ? this.expression() : undefined
    const group = this.accept('group') && this.expect('by') ? this.list(() => this.expression()) : undefined
    const having = this.accept('having') ? this.expression() : undefined
    const order = this.accept('order') && this.expect('by') ? this.list(() => this.orderKey()) : undefined
    const limit = this.accept('limit') ? this.number() : undefined
    const offset = this.accept('offset') ? this.number() : undefined
    while (this.accept(';'));
    if (this.peek().kind !== 'end') this.fail()
    return {
      statement: 'select',
      ...(distinct && { distinct }),
      columns,
      ...(from && { from }),
      ...(where && { where }),
      ...(group && { group }),
      ...(having && { having }),
      ...(order && { order }),
      ...(limit !== undefined && { limit }),
      ...(offset !== undefined && { offset }),
    }
  }

  /** table {"," table | ["INNER"|"LEFT"|"RIGHT"|"FULL"|"CROSS"] ["OUTER"] "JOIN" table ["ON" expression]} */
  private tables(): SqlTable[] {
    const tables: SqlTable[] = [this.table()]
    while (true) {
      if (this.accept(',')) {
        tables.push(this.table())
        continue
      }
      const join = ['inner', 'left', 'right', 'full', 'cross'].find((word) => this.accept(word))
      if (join) this.accept('outer')
      if (!join && !this.isNext('join')) return tables
      this.expect('join')
      const table = this.table()
      tables.push({ ...table, join: join ?? 'inner', ...(this.accept('on') && { on: this.expression() }) })
    }
  }

  private table(): SqlTable {
    const table = this.dotted()
    const { alias } = this.named({})
    return { table, ...(alias !== undefined && { alias }) }
  }

  private orderKey() {
    const expr = this.expression()
    const descending = this.accept('desc')
    if (!descending) this.accept('asc')
    return { expr, direction: descending ? 'desc' : 'asc' }
  }

  /** [["AS"] name] */
  private named(expression: SqlExpression): SqlExpression {
    const said = this.accept('as')
    const { kind, text } = this.peek()
    const isName = kind === 'name' || (kind === 'word' && !CLAUSES.has(text.toLowerCase()))
    if (!isName) return said ? this.fail() : expression
    return { ...expression, alias: this.next().text }
  }

  private expression(): SqlExpression {
    if (this.#depth === DEPTH_MAX) throw new SqlError(`more than ${DEPTH_MAX} expressions inside one another`)
    this.#depth += 1
    const found = this.chain(['or'], () => this.chain(['and'], () => this.negation()))
    this.#depth -= 1
    return found
  }

  private negation(): SqlExpression {
    const words: string[] = []
    while (this.accept('not')) words.push('not')
    return words.reduce<SqlExpression>((inner, operator) => ({ operator, params: [inner] }), this.comparison())
  }

  private comparison(): SqlExpression {
    const left = this.sum()
    const { kind, text } = this.peek()
    if (kind === 'symbol' && COMPARISONS.has(text)) return { operator: this.next().text, params: [left, this.sum()] }
    if (this.accept('is')) {
      const not = this.accept('not')
      this.expect('null')
      return { operator: not ? 'is not null' : 'is null', params: [left] }
    }
    const not = this.accept('not') ? 'not ' : ''
    if (this.accept('like')) return { operator: `${not}like`, params: [left, this.sum()] }
    if (this.accept('between')) {
      const low = this.sum()
      this.expect('and')
      return { operator: `${not}between`, params: [left, low, this.sum()] }
    }
    if (this.accept('in')) return { operator: `${not}in`, params: [left, ...this.bracketed()] }
    return not === '' ? left : this.fail()
  }

  private sum(): SqlExpression {
    return this.chain(['+', '-', '||'], () => this.chain(['*', '/', '%'], () => this.operand()))
  }

  /** Operators of one strength, from the left. */
  private chain(operators: readonly string[], operand: () => SqlExpression): SqlExpression {
    let left = operand()
    while (true) {
      const operator = operators.find((one) => this.accept(one))
      if (operator === undefined) return left
      left = { operator, params: [left, operand()] }
    }
  }

  private operand(): SqlExpression {
    if (this.accept('-')) return { operator: '-', params: [this.operand()] }
    if (this.accept('*')) return { colname: '*' }
    if (this.accept('(')) {
      const inner = this.expression()
      this.expect(')')
      return inner
    }
    const { kind, text } = this.peek()
    if (kind === 'text') return { value: this.next().text, valtype: 'string' }
    if (kind === 'number') return { value: this.next().text, valtype: /^\d+$/.test(text) ? 'integer' : 'float' }
    const lower = text.toLowerCase()
    if (kind === 'word' && ['true', 'false', 'null'].includes(lower))
      return { value: this.next().text.toLowerCase(), valtype: lower === 'null' ? 'null' : 'boolean' }
    const name = this.dotted()
    if (!this.isNext('(')) return { colname: name }
    const distinct = this.isNext('distinct', 1)
    return { function: name, params: this.bracketed(), ...(distinct && { distinct }) }
  }

  private bracketed(): SqlExpression[] {
    this.expect('(')
    this.accept('distinct')
    const items = this.isNext(')') ? [] : this.list(() => this.expression())
    this.expect(')')
    return items
  }

  /** name {"." (name | "*")} */
  private dotted(): string {
    const { kind, text } = this.peek()
    if (kind !== 'name' && (kind !== 'word' || CLAUSES.has(text.toLowerCase()))) this.fail()
    let name = this.next().text
    while (this.accept('.')) name += `.${this.next().text}`
    return name
  }

  private number(): string {
    return this.peek().kind === 'number' ? this.next().text : this.fail()
  }

  private list<T>(read: () => T): T[] {
    const items = [read()]
    while (this.accept(',')) items.push(read())
    return items
  }

  private peek(ahead = 0): Token {
    return this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)] as Token
  }

  private next(): Token {
    const token = this.peek()
    this.#at += 1
    return token
  }

  private isNext(text: string, ahead = 0): boolean {
    const token = this.peek(ahead)
    return (token.kind === 'word' || token.kind === 'symbol') && token.text.toLowerCase() === text
  }

  private accept(text: string): boolean {
    const found = this.isNext(text)
    if (found) this.#at += 1
    return found
  }

  private expect(text: string): true {
    if (!this.accept(text)) this.fail()
    return true
  }

  private fail(): never {
    const { kind, text } = this.peek()
    throw new SqlError(kind === 'end' ? text : `"${text.slice(0, 20)}"`)
  }
}
