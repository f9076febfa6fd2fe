/**
 * How large a query may be, each bound with its reason.
 * Deliberately not here: limits on time, memory and result size; those are the engine's, per query, set by the service.
 */
import { CompileError, type Span } from './error.ts'

/** Longest query text, in UTF-16 units: the largest public query is 4 kB, and generated ones stay far below this. */
export const QUERY_LENGTH_MAX = 65_536

/** Deepest expression tree. The engine refuses SQL nested deeper than 1,000, and one level of ours becomes up to six of its. */
const EXPRESSION_DEPTH_MAX = 64

/** Deepest tree: a level of an expression is up to four of the tree. */
export const TREE_DEPTH_MAX = EXPRESSION_DEPTH_MAX * 4

/** Deepest nesting of brackets while parsing, so that the parser's own recursion is bounded too. */
export const NESTING_DEPTH_MAX = 64

/** Things in one list: columns of an operator, arguments of a call, keys of an order. By default a dataset has as many fields. */
export const LIST_ITEMS_MAX = 1_024

/** Constants in one list, which the engine gets as one value. */
export const CONSTANTS_MAX = 10_000

/** Conditions joined by one kind of "and" or "or". */
export const OPERANDS_MAX = 2_000

/** Columns that a query writes, over all of its operators: each is placed among those before it. */
export const COLUMNS_WRITTEN_MAX = 2_048

/** Columns that there are beside the stored fields after any operator: what an answer of a thousand rows has room for. */
export const COLUMNS_MAX = 1_024

/** Columns after each operator, added up: what the compiler has to look at again and again. A hundred columns through sixty operators. */
export const COLUMNS_CARRIED_MAX = 6_144

/** Operators in the text of one query, those of sub-queries included. */
export const OPERATORS_MAX = 128

/** Operators that are compiled: those of a table of a `let` count wherever it is named. */
export const OPERATORS_COMPILED_MAX = 256

/** Parts of the tree that calls of `let` functions may become: three times the largest public query. */
export const EXPANSION_NODES_MAX = 10_000

/** Datasets that the patterns of a query may stand for: each is a SELECT of its own. */
export const PATTERN_DATASETS_MAX = 64

/** Queries inside expressions inside one another. */
export const TABULAR_DEPTH_MAX = 4

/** SELECTs inside one another: the engine's parser is recursive and so is our renderer. */
export const SELECT_DEPTH_MAX = 32

/** Rows times columns of one answer: about 30 MB of JSON where each is a digit and a comma, twice. */
export const ANSWER_CELLS_MAX = 10_000_000

/** Longest SQL text: the engine's `max_query_size` is 262,144 bytes, names may take four bytes a character. */
export const SQL_BYTES_MAX = 250_000

/** An inlined column longer than this (characters) is put into a SELECT of its own, so that repeated use cannot double the text each time. */
export const INLINE_LENGTH_MAX = 1_500

/** Refuses trees that later, recursive stages could not walk safely. Iterative, so that it holds for any input. */
export function checkDepth(root: object & { readonly span: Span }): void {
  let level: { readonly node: object; readonly span: Span }[] = [{ node: root, span: root.span }]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > TREE_DEPTH_MAX)
      throw new CompileError(
        'limit',
        `the query is nested too deeply (limit ${EXPRESSION_DEPTH_MAX})`,
        level[0]?.span ?? root.span,
      )
    const next: typeof level = []
    for (const { node, span } of level) {
      for (const child of Object.values(node)) {
        if (typeof child === 'object' && child !== null) next.push({ node: child, span: (child as { span?: Span }).span ?? span })
      }
    }
    level = next
  }
}
