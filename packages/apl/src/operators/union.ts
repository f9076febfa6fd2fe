/**
 * `union`: rows of several relations, columns by name. A column missing on one side is NULL there.
 * Deliberately not here: which datasets a pattern stands for; see `query/resolve.ts`.
 */

import { mixed, partOf, partsOf } from '../sql/mixed.ts'
import { type Events, Relation } from '../sql/relation.ts'
import { Select } from '../sql/select.ts'
import { commonQuantity, typed, type Value, type View } from '../sql/value.ts'
import type { Union } from '../tree/ast.ts'
import { asKind, commonKind } from '../values/comparison.ts'
import type { Context } from '../values/context.ts'
import type { OperatorDefinition } from './definition.ts'

/** Each branch with a column that says where its rows are from. */
export function namingSources(
  branches: readonly Relation[],
  { withSource, sources = [] }: Pick<Union, 'withSource' | 'sources'>,
  context: Context,
): readonly Relation[] {
  if (withSource === undefined) return branches
  return branches.map((branch, at) => {
    const name = context.literal({ type: 'string', value: sources[at] ?? `union_arg${at}` })
    // A column of its own: a constant would be taken for one value of all branches.
    return branch.extended(new Map([[withSource, typed('string', name.as('plain'), { nullable: false })]]))
  })
}

/** @param common whether only columns that each branch has are kept */
export function unite(branches: readonly Relation[], context: Context, common = false): Relation {
  const selects = branches.map(({ select }) => select)
  const select = new Select({ kind: 'union', selects }, context.aliases)
  const merged = merger(selects)
  const byName = (name: string) => merged(branches.map((branch) => branch.find(name)))
  const events =
    !common && branches.every((branch) => branch.events?.hidden.size === 0)
      ? uniteEvents(
          branches.map((branch) => branch.events as Events),
          byName,
          merged,
        )
      : undefined
  const all = branches.map((branch) => (events ? [...branch.columns.keys()] : branch.names()))
  const names = common ? (all[0] ?? []).filter((name) => all.every((some) => some.includes(name))) : all.flat()
  const paged = branches.every(({ identity, unique }) => identity && unique)
  const columns = new Map([...new Set(names)].map((name) => [name, byName(name)]))
  if (!paged) return new Relation({ select, columns, ...(events && { events }) })
  const identity = {
    time: merged(branches.map((branch) => branch.identity?.time)),
    row: merged(branches.map((branch) => branch.identity?.row)),
  }
  return new Relation({ select, columns, identity, ...(events && { events }) })
}

function uniteEvents(
  all: readonly Events[],
  byName: (name: string) => Value,
  merged: (values: readonly (Value | undefined)[]) => Value,
): Events {
  const fields = new Map<string, Set<string>>()
  for (const { fields: some } of all)
    for (const [name, types] of some) fields.set(name, new Set([...(fields.get(name) ?? []), ...types]))
  const system = new Map([...(all[0]?.system.keys() ?? [])].map((name) => [name, byName(name)]))
  return {
    fields,
    field: byName,
    object: (path) => ({ ...byName(path), closed: true }),
    virtual: (name) => (all.some((events) => events.virtual(name)) ? byName(name) : undefined),
    system,
    whole: merged(all.map(({ whole }) => whole)),
    hidden: new Set(),
  }
}

/** Makes one value of one in each branch. Branches are exported in step, so that columns line up. */
function merger(selects: readonly Select[]): (values: readonly (Value | undefined)[]) => Value {
  const known = new Map<string, string>()
  const aligned = (sqls: readonly string[]): string => {
    const key = JSON.stringify(sqls)
    const alias = known.get(key) ?? (selects.map((select, at) => select.exportAgain(sqls[at] as string))[0] as string)
    known.set(key, alias)
    return alias
  }
  /** Where branches have values of different types, or one of them has several: what each has of each type. */
  const mergedParts = (values: readonly (Value | undefined)[], asStored: boolean): Value => {
    const there = values.filter((value) => value !== undefined)
    const of = (value: Value | undefined, view: View) => value?.as(view) ?? 'NULL'
    const kinds = new Set(there.flatMap((value) => partsOf(value).map((part) => part.kind)))
    const parts = [...kinds].map((kind): Value => {
      const plain = () => aligned(values.map((value) => of(value && partOf(value, kind), 'plain')))
      return { ...typed(kind, ''), as: (view) => typed(kind, plain()).as(view) }
    })
    const types = [...new Set(there.flatMap(({ type }) => type.split('|')))].sort().join('|')
    const value = mixed(parts, { type: types, encoding: asStored ? 'plain' : 'json' })
    if (!asStored) return value
    return {
      ...value,
      stored: true,
      as: (view) => (view === 'output' ? aligned(values.map((one) => of(one, 'output'))) : value.as(view)),
    }
  }
  const mergedOf = (values: readonly (Value | undefined)[], there: readonly Value[]): Value => {
    const kind = commonKind(there)
    const plain = () => typed(kind, aligned(values.map((value) => (value ? asKind(value, kind) : 'NULL'))))
    const asStored = there.every(({ stored }) => stored)
    if (kind === 'dynamic' && there.every((value) => value.parts ?? value.kind !== 'dynamic'))
      return mergedParts(values, asStored)
    const storedKey = there.find((value) => value.storedKey)?.storedKey
    const types = new Set(there.flatMap(({ type }) => type.split('|')))
    return {
      kind,
      type: [...types].sort().join('|'),
      nullable: there.length < values.length || there.some(({ nullable }) => nullable),
      encoding: !asStored && kind === 'dynamic' ? 'json' : 'plain',
      ...(asStored && { stored: true }),
      ...(storedKey && { storedKey }),
      as: (view) =>
        view === 'output' && asStored ? aligned(values.map((value) => value?.as('output') ?? 'NULL')) : plain().as(view),
    }
  }
  return (values) => {
    const there = values.filter((value) => value !== undefined)
    return { ...mergedOf(values, there), ...commonQuantity(there) }
  }
}

export const union: OperatorDefinition<Union> = {
  keywords: ['union'],
  syntax: '[kind = outer | inner] [withsource = name] dataset | pattern* | (pipeline), …',
  parse: (parser) => {
    const { members: others, ...options } = parser.unionMembers()
    return { others, ...options }
  },
  compile: (operator, input, context) =>
    unite(
      namingSources([input, ...operator.others.map((other) => context.relation(other))], operator, context),
      context,
      operator.common,
    ),
}
