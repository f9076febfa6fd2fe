/** An object as it is when members without a value are left out: those that may be undefined may be absent. */
type Dropped<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** @returns the members that are set */
export function dropUndefined<T extends object>(members: T): { [K in keyof Dropped<T>]: Dropped<T>[K] } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never
}
