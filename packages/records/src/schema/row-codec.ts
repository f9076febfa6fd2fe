/**
 * Rows as objects: one list of members says how each is stored, and the types of the record and of its row follow from it.
 * A column is called as its member, in snake case. Deliberately not here: columns that are no member of a record.
 */
import assert from 'node:assert'

/** Integers are 64 bits wide and arrive as bigint from both databases; null is unset. */
type Cell = string | bigint | null

/** How a member is stored. Without functions it is stored as it is. */
interface Kind<Value, Stored extends Cell> {
  read?(stored: Stored): Value
  write?(value: Value): Stored
  /** The name of the column, if it is not that of the member. */
  readonly column?: string
  /** What is stored of an absent member; only a member with this may be absent. */
  readonly unset?: Cell
}

type Members = Readonly<Record<string, Kind<unknown, Cell>>>
type SnakeCase<Name> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : ''
type ColumnOf<Name, Member> = Member extends { column: infer Column extends string } ? Column : SnakeCase<Name>
type Absent = { readonly unset: Cell }
type ValueOf<Member> = Member extends Kind<infer Value, infer _> ? Value : never
type StoredOf<Member> = Member extends Kind<infer _, infer Stored> ? Stored : never
type Flat<Type> = { [Name in keyof Type]: Type[Name] }

/** The row of a record. */
export type RowOf<Of extends Members> = { [Name in keyof Of as ColumnOf<Name, Of[Name]>]: StoredOf<Of[Name]> }
/** The record, in which a member that is unset is absent. */
export type RecordOf<Of extends Members> = Flat<
  { [Name in keyof Of as Of[Name] extends Absent ? never : Name]: ValueOf<Of[Name]> } & {
    [Name in keyof Of as Of[Name] extends Absent ? Name : never]?: ValueOf<Of[Name]>
  }
>
type ChangeOf<Of extends Members> = { [Name in keyof RecordOf<Of>]?: RecordOf<Of>[Name] | undefined }

export const text: Kind<string, string> = {}
/** A text of which only some are stored. */
export const oneOf = <Text extends string>(): Kind<Text, string> => ({}) as Kind<Text, string>
export const integer: Kind<bigint, bigint> = {}
/** An integer that a number has exactly, such as a time in milliseconds. @throws RangeError on writing a fraction */
export const number: Kind<number, bigint> = { read: Number, write: BigInt }
/** An integer as decimal digits, such as a time in nanoseconds. */
export const digits: Kind<string, bigint> = { read: String, write: BigInt }
/** A value as JSON text. */
export const json = <Value>(): Kind<Value, string> => ({ read: (stored) => JSON.parse(stored) as Value, write: JSON.stringify })
/** 1 if it is set; absent and false are both stored as 0. */
export const flag = {
  ...({ read: () => true, write: (value) => (value ? 1n : 0n) } as Kind<boolean, bigint>),
  unset: 0n,
} as const

/** A member that may be absent: its column then has null. */
export function optional<Value, Stored extends Cell>(
  kind: Kind<Value, Stored>,
): Kind<Value, Stored | null> & { readonly unset: null } {
  return { ...(kind as Kind<Value, Stored | null>), unset: null }
}

/** A member whose column has a name of its own. */
export function stored<const Column extends string, Member>(column: Column, kind: Member): Member & { readonly column: Column } {
  return { ...kind, column }
}

interface RowCodec<Of extends Members> {
  /** What to select for {@link fromRow}. */
  readonly columns: readonly (keyof RowOf<Of>)[]
  fromRow(row: RowOf<Of>): RecordOf<Of>
  /** @returns the columns of all members; what the record has besides is left out */
  toRow(record: RecordOf<Of>): RowOf<Of>
  /** @returns the columns of the members that the change names; one that is `undefined` is unset */
  toChange(change: ChangeOf<Of>): Partial<RowOf<Of>>
}

interface Field extends Kind<unknown, Cell> {
  readonly member: string
  readonly column: string
}

export function createCodec<Of extends Members>(members: Of): RowCodec<Of> {
  const fields = Object.entries(members).map(([member, kind]): Field => {
    return { ...kind, member, column: kind.column ?? member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) }
  })
  return {
    columns: fields.map(({ column }) => column as keyof RowOf<Of>),
    fromRow: (row) => readFields(fields, row) as RecordOf<Of>,
    toRow: (record) => writeFields(fields, record) as RowOf<Of>,
    toChange: (change) =>
      writeFields(
        fields.filter(({ member }) => Object.hasOwn(change, member)),
        change,
      ) as Partial<RowOf<Of>>,
  }
}

function readFields(fields: readonly Field[], row: Readonly<Record<string, unknown>>) {
  const record: Record<string, unknown> = {}
  for (const { member, column, read, unset } of fields) {
    const cell = row[column]
    // The text is made only for an error, because a page has a thousand rows.
    if (cell === undefined) assert.fail(`the statement selects the column ${column}`)
    if (cell !== unset) record[member] = read === undefined ? cell : read(cell as Cell)
  }
  return record
}

function writeFields(fields: readonly Field[], record: Readonly<Record<string, unknown>>) {
  const row: Record<string, Cell> = {}
  for (const { member, column, write, unset } of fields) {
    const value = record[member]
    if (value === undefined) {
      assert(unset !== undefined, `a record always has ${member}`)
      row[column] = unset
    } else {
      row[column] = write === undefined ? (value as Cell) : write(value)
    }
  }
  return row
}
