/**
 * Every operator of the pipeline. A new one: its node in `tree/ast.ts`, a file here, a line below.
 * Deliberately not here: any behavior.
 */
import type { Operator } from '../tree/ast.ts'
import { extend, project, projectAway, projectKeep, projectRename, projectReorder } from './columns.ts'
import type { OperatorDefinition } from './definition.ts'
import { getschema } from './getschema.ts'
import { join } from './join.ts'
import { makeSeries } from './make-series.ts'
import { mvExpand } from './mv-expand.ts'
import { parse } from './parse.ts'
import { parseKv } from './parse-kv.ts'
import { render } from './render.ts'
import { count, limit, sample, sort, top } from './rows.ts'
import { search } from './search.ts'
import { distinct, summarize } from './summarize.ts'
import { union } from './union.ts'
import { where } from './where.ts'

export const OPERATORS: { readonly [K in Operator['kind']]: OperatorDefinition<K> } = {
  where,
  extend,
  project,
  'project-away': projectAway,
  'project-keep': projectKeep,
  'project-rename': projectRename,
  'project-reorder': projectReorder,
  summarize,
  distinct,
  count,
  sort,
  limit,
  top,
  sample,
  search,
  parse,
  'parse-kv': parseKv,
  'mv-expand': mvExpand,
  'make-series': makeSeries,
  getschema,
  render,
  union,
  join,
}

/** The definition of a node's operator; the table guarantees that they belong together. */
export function definitionOf({ kind }: Operator): OperatorDefinition {
  return OPERATORS[kind] as unknown as OperatorDefinition
}

/** Keyword to kind of operator. */
export const KEYWORDS: ReadonlyMap<string, Operator['kind']> = new Map(
  (Object.keys(OPERATORS) as Operator['kind'][]).flatMap((kind) =>
    OPERATORS[kind].keywords.map((keyword) => [keyword, kind] as const),
  ),
)
