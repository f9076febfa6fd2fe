/**
 * The tree of a query: what the parser makes, the legacy body is turned into, and the compiler reads.
 * Plain data; parentheses are not kept, the printer puts them back where they are needed.
 * Deliberately not here: types of values and anything about SQL.
 */
import type { LiteralValue } from './literal.ts'
import type { Span } from './source.ts'

export type ComparisonOperator = '==' | '!=' | '<' | '<=' | '>' | '>=' | '=~' | '!~'
export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%'
export type TextOperator =
  | 'contains'
  | '!contains'
  | 'contains_cs'
  | '!contains_cs'
  | 'startswith'
  | '!startswith'
  | 'startswith_cs'
  | '!startswith_cs'
  | 'endswith'
  | '!endswith'
  | 'endswith_cs'
  | '!endswith_cs'
  | 'has'
  | '!has'
  | 'has_cs'
  | '!has_cs'
  | 'hasprefix'
  | '!hasprefix'
  | 'hasprefix_cs'
  | '!hasprefix_cs'
  | 'hassuffix'
  | '!hassuffix'
  | 'hassuffix_cs'
  | '!hassuffix_cs'
  | 'matches regex'
  | ':' // prettier-ignore
export type BinaryOperator = ComparisonOperator | ArithmeticOperator | TextOperator
export type ListOperator = 'in' | '!in' | 'in~' | '!in~' | 'has_any' | '!has_any' | 'has_any_cs' | '!has_any_cs' | 'has_all'

/** Every node knows the text it came from. */
interface Node<K extends string> {
  readonly kind: K
  readonly span: Span
}

export interface Literal extends Node<'literal'> {
  readonly value: LiteralValue
}
/** A field, a `let`, or the first part of a dotted field. */
export interface Name extends Node<'name'> {
  readonly name: string
}
/** `object.key`: a field with a dotted name, or an access into a map. */
export interface Member extends Node<'member'> {
  readonly object: Expression
  readonly key: string
}
export interface Index extends Node<'index'> {
  readonly object: Expression
  readonly index: Expression
}
export interface Call extends Node<'call'> {
  readonly name: string
  readonly arguments: readonly Expression[]
}
export interface Negation extends Node<'negation'> {
  readonly operand: Expression
}
export interface Binary extends Node<'binary'> {
  readonly operator: BinaryOperator
  readonly left: Expression
  readonly right: Expression
}
/** `and` or `or` of any number of operands, so that long lists of conditions stay shallow. */
export interface Logical extends Node<'logical'> {
  readonly operator: 'and' | 'or'
  readonly operands: readonly Expression[]
}
export interface InList extends Node<'in-list'> {
  readonly operator: ListOperator
  readonly value: Expression
  readonly list: readonly Expression[]
}
export interface Between extends Node<'between'> {
  readonly negated: boolean
  readonly value: Expression
  readonly low: Expression
  readonly high: Expression
}
export interface Star extends Node<'star'> {}

export type Expression = Literal | Name | Member | Index | Call | Negation | Binary | Logical | InList | Between | Star

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

export interface Where extends Node<'where'> {
  readonly predicate: Expression
}
export interface Project extends Node<'project'> {
  readonly columns: readonly Named[]
}
export interface Extend extends Node<'extend'> {
  readonly columns: readonly Named[]
}
export interface ProjectAway extends Node<'project-away'> {
  readonly patterns: readonly Pattern[]
}
export interface ProjectKeep extends Node<'project-keep'> {
  readonly patterns: readonly Pattern[]
}
export interface ProjectReorder extends Node<'project-reorder'> {
  readonly patterns: readonly Pattern[]
}
export interface ProjectRename extends Node<'project-rename'> {
  readonly renames: readonly { readonly to: string; readonly from: Expression; readonly span: Span }[]
}
export interface Summarize extends Node<'summarize'> {
  readonly aggregates: readonly Named[]
  readonly by: readonly Named[]
}
export interface Sort extends Node<'sort'> {
  readonly keys: readonly SortKey[]
}
export interface Limit extends Node<'limit'> {
  readonly count: Expression
}
export interface Top extends Node<'top'> {
  readonly count: Expression
  readonly keys: readonly SortKey[]
}
export interface Count extends Node<'count'> {}
export interface Distinct extends Node<'distinct'> {
  readonly columns: readonly Named[]
}
export interface Sample extends Node<'sample'> {
  readonly share: Expression
}
export interface Search extends Node<'search'> {
  readonly caseSensitive: boolean
  readonly predicate: Expression
}
export interface Parse extends Node<'parse'> {
  readonly mode: 'simple' | 'regex' | 'relaxed'
  readonly filters: boolean
  readonly expression: Expression
  readonly parts: readonly ParsePart[]
}
export interface MvExpand extends Node<'mv-expand'> {
  readonly columns: readonly (Named & { readonly type?: string })[]
  readonly limit?: Expression
}
export interface GetSchema extends Node<'getschema'> {}
export interface Union extends Node<'union'> {
  readonly others: readonly Pipeline[]
}
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
export interface Join extends Node<'join'> {
  /** How it was written: `lookup` is a left outer join that keeps one name for the keys. */
  readonly lookup: boolean
  readonly join: JoinKind
  readonly right: Pipeline
  readonly on: readonly { readonly left: Expression; readonly right: Expression }[]
}
export interface MakeSeries extends Node<'make-series'> {
  readonly aggregates: readonly (Named & { readonly default?: Expression })[]
  readonly axis: Expression
  readonly from?: Expression
  readonly to?: Expression
  readonly step: Expression
  readonly by: readonly Named[]
}

export type Operator =
  | Where
  | Project
  | Extend
  | ProjectAway
  | ProjectKeep
  | ProjectReorder
  | ProjectRename
  | Summarize
  | Sort
  | Limit
  | Top
  | Count
  | Distinct
  | Sample
  | Search
  | Parse
  | MvExpand
  | GetSchema
  | Union
  | Join
  | MakeSeries // prettier-ignore

export type Source =
  | (Node<'dataset'> & { readonly name: string })
  | (Node<'print'> & { readonly columns: readonly Named[] })
  /** `union a, b` at the start of a pipeline. */
  | (Node<'union-of'> & { readonly members: readonly Pipeline[] })
  | (Node<'subquery'> & { readonly pipeline: Pipeline })

export interface Pipeline extends Node<'pipeline'> {
  readonly source: Source
  readonly operators: readonly Operator[]
}
export interface Let {
  readonly name: string
  readonly value: Expression | Pipeline
  /** Declared by `declare query_parameters`: the caller's variables override it. */
  readonly parameter?: string
  readonly span: Span
}
export interface Query extends Node<'query'> {
  readonly lets: readonly Let[]
  readonly pipeline: Pipeline
}
