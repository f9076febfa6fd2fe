/**
 * Calls of `let` functions: the body with the arguments in the place of the parameters.
 * Deliberately not here: which names are functions; see `resolve.ts`.
 */

import { CompileError, mismatch, type Span } from '../error.ts'
import { EXPANSION_NODES_MAX, TREE_DEPTH_MAX } from '../limits.ts'
import type { Expression, LetFunction, Pipeline, Source } from '../tree/ast.ts'
import { measure } from '../tree/measure.ts'
import { type AnyCall, checkArity } from '../tree/signature.ts'

type NamedDataset = Extract<Source, { kind: 'dataset' }>

/** How much all calls of one query have become so far, and how they find a dataset by its name. */
export class ExpansionBudget {
  #nodes = 0
  readonly dataset: (source: NamedDataset) => Source

  constructor(dataset: ExpansionBudget['dataset']) {
    this.dataset = dataset
  }

  /** @throws CompileError `limit`: functions that call one another twice double with each of them */
  spend(nodes: number, span: Span): void {
    this.#nodes += nodes
    if (this.#nodes > EXPANSION_NODES_MAX)
      throw new CompileError('limit', `the functions of the query become more than ${EXPANSION_NODES_MAX} parts`, span)
  }
}

type Bindings = ReadonlyMap<string, Expression>

/**
 * The body of a function for one call. Argument and body are resolved already.
 * @throws CompileError for arguments that are missing or too many
 */
export function expandCall(call: AnyCall, { parameters, body }: LetFunction, budget: ExpansionBudget): Expression | Pipeline {
  checkArity(call, {
    parameters: parameters.map((one) => ({ name: one.name, isOptional: one.default !== undefined, isRepeated: false })),
  })
  const { arguments: given, span } = call
  const bindings = new Map(parameters.map((one, at) => [one.name, (given[at] ?? one.default) as Expression]))
  const expanded = substitute(body, bindings, budget, span) as Expression | Pipeline
  if (measure(expanded).depth > TREE_DEPTH_MAX)
    throw new CompileError('limit', 'the functions of the query are nested too deeply', span)
  return expanded
}

/** A bound name becomes its argument; where rows are wanted, the rows that the argument stands for. */
export function substitute(node: unknown, bindings: Bindings, budget: ExpansionBudget, span: Span): unknown {
  if (typeof node !== 'object' || node === null) return node
  budget.spend(1, span)
  if (Array.isArray(node)) return node.map((item) => substitute(item, bindings, budget, span))
  const { kind, name } = node as { kind?: unknown; name?: unknown }
  const argument = (kind === 'name' || kind === 'dataset') && typeof name === 'string' ? bindings.get(name) : undefined
  if (argument) {
    budget.spend(measure(argument).nodes, span)
    if (kind === 'name') return argument
    const named = 'held' in node ? datasetNamed(argument) : undefined
    if (named) return budget.dataset(named)
    return { kind: 'subquery', pipeline: rowsOf(argument), span: argument.span }
  }
  return Object.fromEntries(
    Object.entries(node).map(([key, child]) => [key, key === 'span' ? child : substitute(child, bindings, budget, span)]),
  )
}

/** What `table(name)` is, where the function is given the name. */
function datasetNamed(argument: Expression): NamedDataset | undefined {
  const { kind, span } = argument
  if (kind === 'name') return { kind: 'dataset', name: argument.name, held: true, span }
  return kind === 'literal' && argument.value.type === 'string'
    ? { kind: 'dataset', name: argument.value.value, span }
    : undefined
}

/** @throws CompileError where the argument is a value */
function rowsOf(argument: Expression): Pipeline {
  if (argument.kind === 'tabular') return argument.pipeline
  throw mismatch('this argument must be a dataset or a query', argument.span)
}
