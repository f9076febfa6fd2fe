/**
 * From a resolved tree to a relation, operator by operator.
 * Deliberately not here: limits, cursors and the plan; see `compile.ts`.
 */
import assert from 'node:assert'
import { unitOfField } from '@deployment-annotations/contract/unit'
import { CompileError, type Edit, type Span } from '../error.ts'
import { compileExpression } from '../expressions/expression.ts'
import { escapeKey } from '../expressions/name-lookup.ts'
import { COLUMNS_CARRIED_MAX, COLUMNS_MAX, SQL_BYTES_MAX } from '../limits.ts'
import { compileColumns } from '../operators/columns.ts'
import { definitionOf } from '../operators/table.ts'
import { unite } from '../operators/union.ts'
import { fieldValue, MAP, mapValue, objectValue, type ValueLayout, withObjects } from '../sql/field.ts'
import { quoteName } from '../sql/quoting.ts'
import { type Events, Relation } from '../sql/relation.ts'
import { Select } from '../sql/select.ts'
import { STATES } from '../sql/states.ts'
import { REST_VALUE, typed, UNSIGNED_INTEGER, type Value } from '../sql/value.ts'
import { guessName, writeName } from '../text/nearest.ts'
import type { Expression, Pipeline, Source } from '../tree/ast.ts'
import { Context, type ContextSettings, EMPTY_SCOPE, type Scope, type TimeRange } from '../values/context.ts'
import { datatable } from './datatable.ts'
import { type GivenRows, givenRows } from './given-rows.ts'
import { isMergeable } from './mergeable.ts'
import type { ResolvedQuery } from './resolve.ts'
import { inVirtualField, parseVirtualField } from './virtual-field.ts'

/** What is known of a dataset. */
export interface Dataset {
  readonly name: string
  /** The physical table's name, unquoted. */
  readonly table: string
  /**
   * Every field by its dotted path, with the types seen in it: `integer float string boolean array map[string]`. Another word (say `unsigned` for integers
   * beyond 64 bits signed) is allowed; such a field is read in the form that holds anything.
   */
  readonly fields: ReadonlyMap<string, ReadonlySet<string>>
  /** Whether events have members that are no fields, which a query may name all the same. */
  readonly hasUnlisted?: boolean
  /** A field's path in the engine's JSON column, where that is not its name. */
  readonly pathOf?: (field: string) => string
  /** Where it is known that all of its events lie: a range that holds it needs no condition, which every row would be looked at for. */
  readonly span?: TimeRange | undefined
  /** Virtual fields: expressions by name. */
  readonly virtualFields?: ReadonlyMap<string, string>
  /** What the table keeps of a field beside the events; by default nothing. */
  readonly layoutOf?: (field: string) => ValueLayout | undefined
}

export type Catalog = ReadonlyMap<string, Dataset | GivenRows>

/** Whether the rest of its events is looked at. */
function hasRest(dataset: Dataset | GivenRows | undefined): boolean {
  if (!dataset || 'constant' in dataset) return false
  return dataset.hasUnlisted === true || [...dataset.fields.values()].some((types) => types.has(MAP) || types.has(REST_VALUE))
}

const NUMBERS = ['integer', 'float', UNSIGNED_INTEGER]

/** What the numbers of a field count. */
function quantityOf(name: string, fields: Dataset['fields']): Pick<Value, 'quantity'> {
  if (!NUMBERS.some((type) => fields.get(name)?.has(type))) return {}
  const unit = unitOfField(name, (other) => fields.has(other))
  return { quantity: unit === undefined ? {} : { unit } }
}

/** The table's own columns. */
const TIME = typed('datetime', '_time', { nullable: false })
const SYSTEM_TIME = typed('datetime', '_sysTime', { nullable: false })
const ROW = typed('integer', '_row', { nullable: false })
/** @param output how the answer has it: the column of the events, or a pair with that of their rest */
const wholeAs = (output: string): Value => ({
  ...typed('dynamic', 'toJSONString(data)', { nullable: false, type: 'map[string]', encoding: 'plain', views: { output } }),
  stored: true,
})
const REST = typed('dynamic', 'mapValues(rest)', { nullable: false, encoding: 'plain' })
const SYSTEM = new Map([
  ['_sysTime', SYSTEM_TIME],
  ['_time', TIME],
])

/** Most fields that `presence` asks for. */
const PRESENCE_MAX = 16

/** A field that the query names, its bit in the answer of `presence`, and one of nearly the same name. */
interface NamedField {
  readonly name: string
  readonly bit: number
  readonly near?: { readonly name: string; readonly bit: number; readonly fix: readonly Edit[] }
}

export class Emitter extends Context {
  readonly #catalog: Catalog
  /** What was read from, each table once. */
  readonly #read = new Map<
    string,
    { readonly fields: Dataset['fields']; hasUnlisted: boolean | undefined; field(name: string): Value; rows: string }
  >()
  #columnsCarried = 0
  /** The same for all datasets, whose events may come together. */
  #whole = wholeAs('data')

  constructor(catalog: Catalog, settings: ContextSettings) {
    super(settings)
    this.#catalog = catalog
  }

  query(query: ResolvedQuery): Relation {
    const { values, pipeline, datasets } = this.#checkMergeable(query)
    this.#whole = wholeAs(datasets.some((name) => hasRest(this.#catalog.get(name))) ? 'tuple(data, rest)' : 'data')
    for (const { name, expression } of values) {
      const value = this.expression(expression, EMPTY_SCOPE)
      if (!value.literal && value.as('plain').length > SQL_BYTES_MAX / 25)
        throw new CompileError('limit', `the value of "${name}" is too large`, expression.span)
      this.lets.set(name, value)
    }
    return this.relation(pipeline)
  }

  /** @returns the node. @throws CompileError where there are to be states, and those of the node could not be merged */
  #checkMergeable<T extends object>(node: T): T {
    if (this.states && !isMergeable(node)) this.states.refuse()
    return node
  }

  expression(expression: Expression, scope: Scope): Value {
    return compileExpression(expression, scope, this)
  }

  relation({ source, operators }: Pipeline): Relation {
    return operators.reduce((before, operator) => {
      const relation = definitionOf(operator).compile(operator, before, this)
      this.#checkColumns(relation.columns.size, operator.span)
      return relation
    }, this.#source(source))
  }

  /** @throws CompileError `limit` */
  #checkColumns(columns: number, span: Span): void {
    this.#columnsCarried += columns
    const hint = 'take away those that are not needed with project'
    if (columns > COLUMNS_MAX)
      throw new CompileError('limit', `there are ${columns} columns after this operator (limit ${COLUMNS_MAX})`, span, hint)
    if (this.#columnsCarried > COLUMNS_CARRIED_MAX)
      throw new CompileError(
        'limit',
        `the operators up to this one carry ${this.#columnsCarried} columns in all (limit ${COLUMNS_CARRIED_MAX})`,
        span,
        hint,
      )
  }

  #source(source: Source): Relation {
    switch (source.kind) {
      case 'dataset': {
        const dataset = this.#catalog.get(source.name)
        assert(dataset, `the dataset ${source.name} is resolved, and in the catalogue`)
        return 'constant' in dataset ? givenRows(dataset, this) : this.#events(dataset)
      }
      case 'print': {
        const select = new Select({ kind: 'one' }, this.aliases)
        return new Relation({ select, columns: compileColumns(source.columns, new Relation({ select }), this) })
      }
      case 'union-of':
        return unite(
          source.members.map((member) => this.relation(member)),
          source,
          this,
        )
      case 'datatable':
        return datatable(source, this)
      case 'dataset-pattern':
      case 'call-of':
        return assert.fail(`${source.kind} was not resolved`)
      case 'subquery':
        return this.relation(source.pipeline)
      default:
        return source satisfies never
    }
  }

  #events({ table, fields, hasUnlisted, virtualFields, span, pathOf = (field) => field, layoutOf }: Dataset): Relation {
    const { states } = this
    const select = new Select({ kind: 'table', table: states ? STATES : quoteName(table) }, this.aliases)
    if (states) select.rows = states.merge('count', '', '')
    const inRange = [`_time >= ${this.binder.time(this.range.startNs)}`, `_time < ${this.binder.time(this.range.endNs)}`]
    if (!states && !(span && this.range.startNs <= span.startNs && span.endNs <= this.range.endNs))
      select.conditions.push(...inRange)
    else select.truths = inRange
    const storedKey = (key: string) => pathOf(escapeKey(key))
    const field = (name: string) => {
      const types = fields.get(name) ?? new Set(hasUnlisted ? [REST_VALUE] : [])
      if (types.has(MAP)) return mapValue(pathOf(name), types, this.binder, storedKey)
      const value = { ...fieldValue(pathOf(name), types, this.binder, layoutOf?.(name)), ...quantityOf(name, fields) }
      // Of the objects in it.
      return types.has('array') ? { ...value, storedKey } : value
    }
    this.#read.set(table, { fields, hasUnlisted, field, rows: `FROM ${quoteName(table)} WHERE ${inRange.join(' AND ')}` })
    const events: Events = {
      fields,
      field,
      object: (name) => {
        const object = objectValue(pathOf(name), this.binder, storedKey)
        return fields.get(name)?.has(MAP) ? field(name) : fields.has(name) ? withObjects(field(name), object) : object
      },
      virtual: () => undefined,
      system: SYSTEM,
      ...(hasUnlisted && { unlisted: field, rest: REST }),
      whole: this.#whole,
      hidden: new Set(),
    }
    const stored = new Relation({ select, identity: { time: TIME, row: ROW }, events })
    if (!virtualFields || virtualFields.size === 0) return stored
    return stored.with({ events: { ...events, virtual: this.#virtual(virtualFields, stored) } })
  }

  /** Each is compiled once, when it is first named. */
  #virtual(definitions: ReadonlyMap<string, string>, stored: Relation): Events['virtual'] {
    const known = new Map<string, Value>()
    return (name) => {
      const text = definitions.get(name)
      if (text === undefined) return undefined
      try {
        const value =
          known.get(name) ?? this.elsewhere(() => this.expression(this.#checkMergeable(parseVirtualField(text)), stored))
        known.set(name, value)
        return value
      } catch (error) {
        throw error instanceof CompileError ? inVirtualField(name, error) : error
      }
    }
  }

  /** The tables that were read from. */
  get tables(): string[] {
    return [...this.#read.keys()]
  }

  /** SQL for `Plan.presence`: each field is looked for until the first event that has it. */
  presence(): { readonly fields: readonly NamedField[]; readonly sql: string } | undefined {
    const tables = [...this.#read.values()]
    const mayHave = (table: (typeof tables)[number], name: string) => table.fields.has(name) || table.hasUnlisted
    const named = [...this.namesRead].filter(([name]) => tables.some((table) => mayHave(table, name))).slice(0, PRESENCE_MAX)
    if (named.length === 0) return undefined
    const others = tables.flatMap(({ fields }) => [...fields.keys()]).filter((name) => !this.namesRead.has(name))
    const near = new Map(named.map(([name]) => [name, guessName(name, others, (found) => found)?.written]))
    const all = [...new Set([...near.keys(), ...[...near.values()].filter((name) => name !== undefined)])]
    const bits = all.map((name, at) => {
      const found = tables
        .filter((table) => mayHave(table, name))
        .map((table) => `EXISTS(SELECT 1 ${table.rows} AND isNotNull(${table.field(name).as('output')}) LIMIT 1)`)
      return `toUInt64(${found.join(' OR ')}) * ${2 ** at}`
    })
    const bitOf = (name: string) => 2 ** all.indexOf(name)
    const fields = named.map(([name, spans]): NamedField => {
      const other = near.get(name)
      if (other === undefined) return { name, bit: bitOf(name) }
      const fix = spans.map((span) => ({ span, text: writeName(other) }))
      return { name, bit: bitOf(name), near: { name: other, bit: bitOf(other), fix } }
    })
    return { fields, sql: `SELECT ${bits.join(' + ')}` }
  }
}
