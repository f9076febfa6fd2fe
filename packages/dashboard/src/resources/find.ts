/** Which resources a list shows, and in which order. Pure. */
import { compareNames } from '../query/name.ts'
import type { Named } from './resource.ts'

/** @returns those of a lower rank first, and of the same rank in the order of their names */
export function inOrder<One extends Named>(all: readonly One[], rank: (one: One) => number = () => 0): One[] {
  return all.toSorted((one, other) => rank(one) - rank(other) || compareNames(one.name, other.name))
}

/** @returns those whose name or description has all of the words */
export function findIn<One extends Named & { description?: string }>(all: readonly One[], words: string): One[] {
  const wanted = words.toLowerCase().split(/\s+/)
  return all.filter(({ name, description = '' }) => {
    const text = `${name} ${description}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
}
