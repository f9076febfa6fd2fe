/**
 * The tree of a query: what the parser makes, the legacy body is turned into, and the compiler reads.
 * Plain data; parentheses are not kept: the tree's shape says what they said.
 * Deliberately not here: types of values and anything about SQL.
 */

import type { Span } from '../error.ts'
import type { BinaryOperator, ListOperator } from '../text/infix.ts'
import type { LiteralValue } from '../text/literal.ts'

/** Every node knows the text it came from. */
interface SyntaxNode<K extends string> {
  readonly kind: K
  readonly span: Span
}

interface Literal extends SyntaxNode<'literal'> {
  readonly value: LiteralValue
}
/** A field, a `let`, or the first part of a dotted field. */
interface Name extends SyntaxNode<'name'> {
  readonly name: string
}
/** `object.key`: a field with a dotted name, or an access into a map. */
export interface Member extends SyntaxNode<'member'> {
  readonly object: Expression
  readonly key: string
  /** Written `object['key']`: one key, whatever is in it. */
  readonly quoted?: true
}
interface Index extends SyntaxNode<'index'> {
  readonly object: Expression
  readonly index: Expression
}
export interface Call extends SyntaxNode<'call'> {
  readonly name: string
  readonly arguments: readonly Expression[]
  /** The names that arguments were given, as in `arg_max(a = …)`. */
  readonly names?: readonly (string | undefined)[]
}
interface Negation extends SyntaxNode<'negation'> {
  readonly operand: Expression
}
export interface Binary extends SyntaxNode<'binary'> {
  readonly operator: BinaryOperator
  readonly left: Expression
  readonly right: Expression
}
/** `and` or `or` of any number of operands, so that long lists of conditions stay shallow. */
interface Logical extends SyntaxNode<'logical'> {
  readonly operator: 'and' | 'or'
  readonly operands: readonly Expression[]
}
export interface InList extends SyntaxNode<'in-list'> {
  readonly operator: ListOperator
  readonly value: Expression
  readonly list: readonly Expression[]
}
interface Between extends SyntaxNode<'between'> {
  readonly negated: boolean
  readonly value: Expression
  readonly low: Expression
  readonly high: Expression
}
interface Star extends SyntaxNode<'star'> {}
/** A query inside an expression: the list of an `in`, or the argument of `toscalar()`. */
export interface Tabular extends SyntaxNode<'tabular'> {
  readonly pipeline: Pipeline
}

export type Expression = Literal | Name | Member | Index | Call | Negation | Binary | Logical | InList | Between | Star | Tabular

/** An expression with the name its column is to get. */
export interface Named {
  readonly name?: string
  readonly expression: Expression
  readonly span: Span
}
/** A field name or, with `*` in it, a pattern of field names. */
export interface Pattern {
  readonly pattern: string
  /** Written in quotes: a `*` in it is an asterisk. */
  readonly exact?: true
  readonly span: Span
}
export interface SortKey {
  readonly expression: Expression
  readonly descending: boolean
  readonly nulls?: 'first' | 'last'
  readonly span: Span
}
export interface ParsePart {
  /** Text to find, a column to fill, or `*`: skip. */
  readonly text?: string
  readonly column?: string
  readonly type?: string
  readonly skip?: true
}

/** How the names that a pattern stands for are sorted; `granny`: numbers in them by their size. */
export type NameOrder = 'asc' | 'desc' | 'granny-asc' | 'granny-desc'
export interface Summarize extends SyntaxNode<'summarize'> {
  readonly aggregates: readonly Named[]
  readonly by: readonly Named[]
}
export interface Parse extends SyntaxNode<'parse'> {
  readonly mode: 'simple' | 'regex' | 'relaxed'
  /** How a regular expression is read: `i` ignores case, `s` lets a dot match a newline, `m` takes lines one by one, `U` finds the shortest. */
  readonly flags?: string
  readonly filters: boolean
  readonly expression: Expression
  readonly parts: readonly ParsePart[]
}
/** A column's type, as it is written behind its name. */
export interface TypedName {
  readonly name: string
  readonly type?: string
}
export interface ParseKv extends SyntaxNode<'parse-kv'> {
  readonly expression: Expression
  readonly keys: readonly TypedName[]
  /** The texts of each option that is given. */
  readonly options: Readonly<Record<string, readonly string[]>>
}
export interface MvExpand extends SyntaxNode<'mv-expand'> {
  /** What an object becomes: an object of each key, or an array of key and value. */
  readonly form: 'bag' | 'array'
  readonly indexName?: string
  readonly columns: readonly (Named & { readonly type?: string })[]
  readonly limit?: Expression
}
/** What a union is of, and which of its columns there are. */
export interface UnionMembers {
  readonly members: readonly Pipeline[]
  /** Only columns that each branch has. */
  readonly common?: true
  /** The column that says which dataset a row is of. */
  readonly withSource?: string
  /** The name of each branch, the input of the operator first; known once names are resolved. */
  readonly sources?: readonly string[]
}
interface Union extends SyntaxNode<'union'>, UnionMembers {}

export type JoinKind =
  | 'inner'
  | 'innerunique'
  | 'leftouter'
  | 'rightouter'
  | 'fullouter'
  | 'leftanti'
  | 'rightanti'
  | 'leftsemi'
  | 'rightsemi'
export interface Join extends SyntaxNode<'join'> {
  /** How it was written: `lookup` is a left outer join that keeps one name for the keys. */
  readonly lookup: boolean
  readonly join: JoinKind
  readonly right: Pipeline
  readonly on: readonly { readonly left: Expression; readonly right: Expression }[]
}
export interface MakeSeries extends SyntaxNode<'make-series'> {
  readonly aggregates: readonly (Named & { readonly default?: Expression })[]
  readonly axis: Expression
  readonly from?: Expression
  readonly to?: Expression
  readonly step: Expression
  readonly by: readonly Named[]
}

/** An operator that takes columns, and nothing else. */
interface ColumnsNode<K extends string> extends SyntaxNode<K> {
  readonly columns: readonly Named[]
}
/** An operator that takes patterns of names, and nothing else. */
interface PatternsNode<K extends string, P = Pattern> extends SyntaxNode<K> {
  readonly patterns: readonly P[]
}
export type Operator =
  | (SyntaxNode<'where'> & { readonly predicate: Expression })
  | ColumnsNode<'project'>
  | ColumnsNode<'extend'>
  | PatternsNode<'project-away'>
  | PatternsNode<'project-keep'>
  | PatternsNode<'project-reorder', Pattern & { readonly order?: NameOrder }>
  | (SyntaxNode<'project-rename'> & { readonly renames: readonly { readonly to: string; readonly from: Expression }[] })
  | Summarize
  | (SyntaxNode<'sort'> & { readonly keys: readonly SortKey[] })
  | (SyntaxNode<'limit'> & { readonly count: Expression })
  | (SyntaxNode<'top'> & { readonly count: Expression; readonly keys: readonly SortKey[] })
  | SyntaxNode<'count'>
  | ColumnsNode<'distinct'>
  | (SyntaxNode<'sample'> & { readonly share: Expression })
  | (SyntaxNode<'search'> & { readonly caseSensitive: boolean; readonly predicate: Expression })
  | Parse
  | ParseKv
  | MvExpand
  | SyntaxNode<'getschema'>
  | SyntaxNode<'render'>
  | Union
  | Join
  | MakeSeries
/** The operator of a kind. */
export type OperatorOf<K extends Operator['kind']> = Extract<Operator, { kind: K }>

export type Source =
  /** `held`: the name is that of a `let` or a parameter, whose value is the dataset's. */
  | (SyntaxNode<'dataset'> & { readonly name: string; readonly held?: true })
  | (SyntaxNode<'print'> & { readonly columns: readonly Named[] })
  /** `union a, b` at the start of a pipeline. */
  | (SyntaxNode<'union-of'> & UnionMembers)
  /** In a union, `web-*`: every dataset of such a name. */
  | (SyntaxNode<'dataset-pattern'> & { readonly pattern: string })
  | (SyntaxNode<'datatable'> & { readonly columns: readonly TypedName[]; readonly rows: readonly (readonly Expression[])[] })
  /** A call of a `let` function that stands for rows. */
  | (SyntaxNode<'call-of'> & { readonly name: string; readonly arguments: readonly Expression[] })
  | (SyntaxNode<'subquery'> & { readonly pipeline: Pipeline })

export interface Pipeline extends SyntaxNode<'pipeline'> {
  readonly source: Source
  readonly operators: readonly Operator[]
}
/** `(x: long, T: (*)) { … }`: a value or rows, computed from arguments. */
export interface LetFunction extends SyntaxNode<'let-function'> {
  readonly parameters: readonly { readonly name: string; readonly type: string; readonly default?: Expression }[]
  /** Known in the body alone. */
  readonly lets: readonly Let[]
  readonly body: Expression | Pipeline
}
export interface Let {
  readonly name: string
  readonly value: Expression | Pipeline | LetFunction
  /** Declared by `declare query_parameters`: the caller's variables override it. */
  readonly parameter?: string
  readonly span: Span
}
/** A whole query. */
export interface QueryTree extends SyntaxNode<'query'> {
  readonly lets: readonly Let[]
  readonly pipeline: Pipeline
}
