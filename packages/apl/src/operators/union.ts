/**
 * `union`: rows of several relations, columns by name. A column missing on one side is NULL there.
 * Deliberately not here: which datasets a pattern stands for; see `query/resolve.ts`.
 */
import assert from 'node:assert'
import { mixed, partOf, partsOf } from '../sql/mixed.ts'
import { type Events, Relation } from '../sql/relation.ts'
import { Select } from '../sql/select.ts'
import { commonQuantity, type Kind, typed, type Value } from '../sql/value.ts'
import type { UnionMembers } from '../tree/ast.ts'
import { asKind, commonKind } from '../values/comparison.ts'
import type { Context } from '../values/context.ts'
import type { OperatorDefinition } from './definition.ts'

/** The rows of all branches, with the columns that any of them has, or that each has where the union is one of those in common. */
export function unite(unnamed: readonly Relation[], union: Omit<UnionMembers, 'members'>, context: Context): Relation {
  const branches = namingSources(unnamed, union, context)
  const columns = new ColumnsInStep(branches.map(({ select }) => select))
  const merge = (find: (branch: Relation) => Value | undefined) => columns.merge(branches.map(find))
  const byName = (name: string) => merge((branch) => branch.find(name))
  const events = union.common ? undefined : uniteEvents(branches, byName, columns)
  const names = branches.map((branch) => (events ? [...branch.columns.keys()] : branch.names()))
  const [first = []] = names
  const shown = union.common ? first.filter((name) => names.every((some) => some.includes(name))) : names.flat()
  const isPaged = branches.every(({ identity, unique }) => identity && unique)
  return new Relation({
    select: new Select({ kind: 'union', selects: branches.map(({ select }) => select) }, context.aliases),
    columns: new Map([...new Set(shown)].map((name) => [name, byName(name)])),
    ...(isPaged && { identity: { time: merge(({ identity }) => identity?.time), row: merge(({ identity }) => identity?.row) } }),
    ...(events && { events }),
  })
}

/** Each branch with a column that says where its rows are from. */
function namingSources(
  branches: readonly Relation[],
  { withSource, sources = [] }: Omit<UnionMembers, 'members'>,
  context: Context,
): readonly Relation[] {
  if (withSource === undefined) return branches
  return branches.map((branch, at) => {
    const name = context.literal({ type: 'string', value: sources[at] ?? `union_arg${at}` })
    // A column of its own: a constant would be taken for one value of all branches.
    return branch.extended(new Map([[withSource, typed('string', name.as('plain'), { nullable: false })]]))
  })
}

/** Whole events, where each branch still has all of its own. */
function uniteEvents(branches: readonly Relation[], byName: (name: string) => Value, columns: ColumnsInStep): Events | undefined {
  const all = branches.map(({ events }) => events).filter((events) => events?.hidden.size === 0) as Events[]
  const [first] = all
  if (!first || all.length < branches.length) return undefined
  const fields = new Map<string, Set<string>>()
  for (const [name, types] of all.flatMap((events) => [...events.fields]))
    fields.set(name, new Set([...(fields.get(name) ?? []), ...types]))
  return {
    fields,
    field: byName,
    object: (path) => ({ ...byName(path), closed: true }),
    virtual: (name) => (all.some((events) => events.virtual(name)) ? byName(name) : undefined),
    system: new Map([...first.system.keys()].map((name) => [name, byName(name)])),
    whole: columns.merge(all.map(({ whole }) => whole)),
    hidden: new Set(),
  }
}

/** What each branch has under one name; `undefined` where it has nothing. */
type Values = readonly (Value | undefined)[]

/** The columns that the branches export. They export in step, so that columns that belong together have the same place in each. */
class ColumnsInStep {
  readonly #selects: readonly Select[]
  /** The alias in the first branch, which is that of the union, by the SQL in each. */
  readonly #aliases = new Map<string, string>()

  constructor(selects: readonly Select[]) {
    this.#selects = selects
  }

  /** One value of those of the branches. Nothing is exported before it is asked for. */
  merge(values: Values): Value {
    const there = values.filter((value) => value !== undefined)
    const kind = commonKind(there)
    const isByKind = kind === 'dynamic' && there.every((value) => value.parts ?? value.kind !== 'dynamic')
    const value = isByKind ? this.#ofKinds(values, there) : this.#ofOneKind(values, there, kind)
    const isStored = there.every(({ stored }) => stored)
    return {
      ...value,
      type: [...new Set(there.flatMap(({ type }) => type.split('|')))].sort().join('|'),
      ...commonQuantity(there),
      ...(isStored && {
        stored: true,
        encoding: 'plain',
        as: (view) => (view === 'output' ? this.#column(values, (one) => one.as('output')) : value.as(view)),
      }),
    }
  }

  #ofOneKind(values: Values, there: readonly Value[], kind: Kind): Value {
    const storedKey = there.find((value) => value.storedKey)?.storedKey
    return {
      ...this.#onDemand(kind, values, (value) => asKind(value, kind)),
      nullable: there.length < values.length || there.some(({ nullable }) => nullable),
      ...(storedKey && { storedKey }),
    }
  }

  /** Where branches have values of different kinds, or one of them has several: what each has of each kind. */
  #ofKinds(values: Values, there: readonly Value[]): Value {
    const kinds = new Set(there.flatMap((value) => partsOf(value).map((part) => part.kind)))
    return mixed([...kinds].map((kind) => this.#onDemand(kind, values, (value) => partOf(value, kind)?.as('plain') ?? 'NULL')))
  }

  #onDemand(kind: Kind, values: Values, sqlOf: (value: Value) => string): Value {
    return { ...typed(kind, ''), as: (view) => typed(kind, this.#column(values, sqlOf)).as(view) }
  }

  #column(values: Values, sqlOf: (value: Value) => string): string {
    const sqls = values.map((value) => (value ? sqlOf(value) : 'NULL'))
    const key = JSON.stringify(sqls)
    const known = this.#aliases.get(key)
    if (known !== undefined) return known
    const [alias] = this.#selects.map((select, at) => select.exportAgain(sqls[at] as string))
    assert(alias !== undefined, 'a union has at least one branch')
    this.#aliases.set(key, alias)
    return alias
  }
}

export const union: OperatorDefinition<'union'> = {
  keywords: ['union'],
  syntax: '[kind = outer | inner] [withsource = name] dataset | pattern* | (pipeline), …',
  parse: (parser) => parser.unionMembers(),
  compile: (operator, input, context) =>
    unite([input, ...operator.members.map((member) => context.relation(member))], operator, context),
}
