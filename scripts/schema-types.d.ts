/**
 * The types of TypeBox that the contract's schemas use, and the shape that each stands for. The packed client has them in the place of
 * TypeBox's own declarations (bundled-packages.js), which are seven hundred files and would be most of the client on a disk.
 * `.ci/packages` compares every type that the client exports with the one that TypeBox makes.
 */

declare const shape: unique symbol
declare const optional: unique symbol

/** A JSON Schema of values of this type. */
export interface TSchema<Value = unknown> {
  readonly [shape]: Value
}

export type Static<Schema> = Schema extends { readonly [shape]: infer Value } ? Value : never

type Members = Readonly<Record<string, TSchema>>
type IsOptional<Schema> = Schema extends { readonly [optional]: true } ? true : false
type ObjectOf<Of extends Members> = {
  [Name in keyof Of as IsOptional<Of[Name]> extends true ? never : Name]: Static<Of[Name]>
} & {
  [Name in keyof Of as IsOptional<Of[Name]> extends true ? Name : never]?: Static<Of[Name]>
} extends infer Shape
  ? { [Name in keyof Shape]: Shape[Name] }
  : never

export type TString = TSchema<string>
export type TNumber = TSchema<number>
export type TInteger = TSchema<number>
export type TBoolean = TSchema<boolean>
export type TNull = TSchema<null>
export type TUnknown = TSchema<unknown>
export type TUnsafe<Value> = TSchema<Value>
export type TEnum<Values extends readonly unknown[]> = TSchema<Values[number]>
export type TArray<Item extends TSchema> = TSchema<Static<Item>[]>
export type TRecord<_Names extends string, Item extends TSchema> = TSchema<Record<string, Static<Item>>>
export type TUnion<Schemas extends readonly TSchema[]> = TSchema<Static<Schemas[number]>>
export type TObject<Of extends Members> = TSchema<ObjectOf<Of>>
export type TOptional<Schema extends TSchema> = Schema & { readonly [optional]: true }
