/**
 * The rows that a pipeline has produced so far: a SELECT under construction, the names that can be seen in it, and the order of rows
 * where the query does not give all of it.
 */
import { INLINE_LENGTH_MAX } from '../limits.ts'
import { spelledLike } from '../text/names-matching.ts'
import type { Aggregation } from './plan.ts'
import { type OrderKey, Select } from './select.ts'
import { through, type Value } from './value.ts'

/** What makes a row of a dataset itself: where pages begin and end. */
interface Identity {
  readonly time: Value
  readonly row: Value
}

/** Whole events. */
export interface Events {
  readonly fields: ReadonlyMap<string, ReadonlySet<string>>
  /** The value of a field of the catalog. */
  field(path: string): Value
  object(path: string): Value
  /** The value of a virtual field, which is named like a stored one and comes before it; `undefined` where there is none. */
  virtual(name: string): Value | undefined
  /** The value of a member that is no field, because the dataset has as many as it may; absent where it has no such members. */
  readonly unlisted?: ((path: string) => Value) | undefined
  /** With them: all that is in the column of the rest, as an array of JSON texts. */
  readonly rest?: Value | undefined
  /** `_sysTime` and `_time`. */
  readonly system: ReadonlyMap<string, Value>
  /** The whole event, in the engine's JSON form. */
  readonly whole: Value
  /** Fields that can no longer be named. */
  readonly hidden: ReadonlySet<string>
}

/** A column of time bins, as `summarize … by bin(_time, …)` makes it. */
export interface Buckets {
  readonly column: string
  readonly sizeNs: bigint
}

interface Parts {
  readonly select: Select
  readonly columns?: ReadonlyMap<string, Value>
  readonly events?: Events
  readonly identity?: Identity
  /** Whether each identity occurs once; an expanded or joined row does not. */
  readonly unique?: boolean
  readonly buckets?: Buckets
  readonly groups?: readonly string[]
  readonly aggregations?: ReadonlyMap<string, Aggregation>
}

export class Relation {
  readonly select: Select
  /** Computed or chosen columns, in order. In an open relation they come on top of the events' fields. */
  readonly columns: ReadonlyMap<string, Value>
  readonly events: Events | undefined
  readonly identity: Identity | undefined
  readonly unique: boolean
  readonly buckets: Buckets | undefined
  readonly groups: readonly string[]
  readonly aggregations: ReadonlyMap<string, Aggregation>

  constructor(parts: Parts) {
    this.select = parts.select
    this.columns = parts.columns ?? new Map()
    this.events = parts.events
    this.identity = parts.identity
    this.unique = parts.unique ?? parts.identity !== undefined
    this.buckets = parts.buckets
    this.groups = parts.groups ?? []
    this.aggregations = parts.aggregations ?? new Map()
  }

  /** The value under an exact name. */
  find(name: string): Value | undefined {
    const column = this.columns.get(name)
    if (column || !this.events || this.events.hidden.has(name)) return column
    return (
      this.events.system.get(name) ??
      this.events.virtual(name) ??
      (objectNames(this.events.fields).has(name) ? this.events.object(name) : undefined) ??
      (this.events.fields.has(name) ? this.events.field(name) : undefined)
    )
  }

  /** What a name stands for that is none of {@link names}. */
  unlisted(name: string): Value | undefined {
    return this.events?.hidden.has(name) ? undefined : this.events?.unlisted?.(name)
  }

  get rest(): Value | undefined {
    return this.events?.rest
  }

  isMade(name: string): boolean {
    return this.columns.has(name)
  }

  /** Names that are read like this one, but have a dot or a backslash inside of a key. */
  spelled(name: string): string[] {
    const stored = this.events ? escapedNames(this.events.fields).filter((one) => !this.events?.hidden.has(one)) : []
    return spelledLike(name, [...stored, ...this.columns.keys()])
  }

  /** Every name, in the order of an answer: system columns, fields by alphabet, computed columns. */
  names(): string[] {
    if (!this.events) return [...this.columns.keys()]
    const { hidden, system, fields } = this.events
    const visible = (name: string) => !hidden.has(name) && !this.columns.has(name)
    return [...system.keys()].filter(visible).concat([...fields.keys()].filter(visible).sort(), [...this.columns.keys()])
  }

  /** The same rows with other parts. `undefined` closes or forgets a part. */
  with(parts: Partial<{ [K in keyof Parts]: Parts[K] | undefined }>): Relation {
    return new Relation({ ...this, ...parts } as Parts)
  }

  /** Adds or replaces computed columns (or just looks at those there are). Long ones move into a SELECT of their own, so that using them twice does not double the text. */
  extended(added: ReadonlyMap<string, Value>): Relation {
    const columns = new Map(this.columns)
    for (const [name, value] of added) {
      columns.delete(name)
      columns.set(name, computed(value))
    }
    const buckets = this.buckets && added.has(this.buckets.column) ? undefined : this.buckets
    const relation = this.with({ columns, buckets })
    const isLong = [...(added.size > 0 ? added : columns).values()].some(
      (value) => !value.literal && value.as('plain').length > INLINE_LENGTH_MAX,
    )
    return isLong ? relation.nested() : relation
  }

  /** The same rows with columns of their own, which {@link placed} may change. */
  own(): Relation {
    return this.with({ columns: new Map(this.columns) })
  }

  /** What {@link extended} does with one column, in place: copying a thousand columns for each of a thousand takes too long. */
  placed(name: string, value: Value): Relation {
    const columns = this.columns as Map<string, Value>
    columns.delete(name)
    columns.set(name, computed(value))
    const relation = this.buckets?.column === name ? this.with({ buckets: undefined }) : this
    return !value.literal && value.as('plain').length > INLINE_LENGTH_MAX ? relation.nested() : relation
  }

  /** Exactly these columns. */
  projected(columns: ReadonlyMap<string, Value>): Relation {
    const buckets = this.buckets && columns.has(this.buckets.column) ? this.buckets : undefined
    return this.with({ columns: mapValues(columns, computed), events: undefined, buckets })
  }

  /** The relation as seen from outside its SELECT, which is from now on a sub-query. Its order is kept. */
  nested(): Relation {
    const { select: inside } = this
    const select = new Select({ kind: 'select', select: inside }, inside.aliases)
    const outside = this.seenThrough(select, (value) => through(value, (sql) => inside.export(sql)))
    select.order = inside.order.map((key): OrderKey => ({ ...key, value: through(key.value, (sql) => inside.export(sql)) }))
    return outside
  }

  /** The same names over another SELECT, each value changed by `see`. */
  seenThrough(select: Select, see: (value: Value) => Value): Relation {
    const { events, identity } = this
    return this.with({
      select,
      columns: mapValues(this.columns, see),
      identity: identity && { time: see(identity.time), row: see(identity.row) },
      events: events && {
        ...events,
        field: (path) => see(events.field(path)),
        object: (path) => see(events.object(path)),
        unlisted: events.unlisted && ((path) => see((events.unlisted as Exclude<Events['unlisted'], undefined>)(path))),
        virtual: (name) => {
          const value = events.virtual(name)
          return value && see(value)
        },
        rest: events.rest && see(events.rest),
        system: mapValues(events.system, see),
        whole: see(events.whole),
      },
    })
  }

  /** Ready for a condition or a new order: a limit that was already given must be applied first. */
  unlimited(): Relation {
    return this.select.limit === undefined ? this : this.nested()
  }

  /** Ready to be grouped or expanded. */
  ungrouped(): Relation {
    return this.select.groupBy === undefined && this.select.limit === undefined ? this : this.nested()
  }

  /** Keeps the rows for which the condition holds. Changes the SELECT; the caller owns it. */
  filtered(condition: (relation: Relation) => string): Relation {
    const relation = this.unlimited()
    const target = relation.select.groupBy === undefined ? relation.select.conditions : relation.select.having
    target.push(condition(relation))
    return relation
  }
}

const escaped = new WeakMap<Events['fields'], readonly string[]>()

/** The few names of a catalog that have a dot or a backslash inside of a key; looked for once. */
function escapedNames(fields: Events['fields']): readonly string[] {
  const known = escaped.get(fields) ?? [...fields.keys()].filter((name) => name.includes('\\'))
  escaped.set(fields, known)
  return known
}

const objects = new WeakMap<Events['fields'], ReadonlySet<string>>()

/** `geo`, where there are fields such as `geo.city`; looked for once. */
function objectNames(fields: Events['fields']): ReadonlySet<string> {
  const known = objects.get(fields)
  if (known) return known
  const names = new Set<string>()
  for (const field of fields.keys()) {
    // A dot behind a backslash is one inside of a key.
    for (const { 0: found, index } of field.matchAll(/\\.|\./g)) if (found === '.') names.add(field.slice(0, index))
  }
  objects.set(fields, names)
  return names
}

/** What was computed from an object may have any key. */
function computed(value: Value): Value {
  const { closed, alone, ...open } = value
  return closed || alone ? open : value
}

export function mapValues<V, W>(map: ReadonlyMap<string, V>, change: (value: V) => W): Map<string, W> {
  return new Map([...map].map(([key, value]) => [key, change(value)]))
}

/** Rows of datasets come newest first where nothing else is said, and rows that sort equal newest first, so that a cut is always the same. */
export function settleOrder(relation: Relation): void {
  const { select, identity } = relation
  if (!identity) return
  const [first] = select.order
  const time = identity.time.as('plain')
  const descending = first?.value.as('plain') === time ? first.descending : true
  const keys = select.order.map(({ value }) => value.as('plain'))
  if (!keys.includes(time)) select.order = [...select.order, { name: '_time', value: identity.time, descending, implied: true }]
  if (!keys.includes(identity.row.as('plain')))
    select.order = [...select.order, { name: '_row', value: identity.row, descending, implied: true }]
}
