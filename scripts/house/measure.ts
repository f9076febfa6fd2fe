/**
 * The figures of `npm run house`, and what is wanted of each. Cycles, mocks and long functions are not here: tests in `__tests__/tidy/`
 * allow none.
 */
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Trip, TripName } from './trips.ts'

export type { TripName }

/** The most that each figure may be. */
export const WANTED = {
  annotation: { files: 20, functions: 60 },
  event: { files: 40, functions: 140 },
  query: { files: 80, functions: 330 },
  sourceLines: 64_000,
  packageLines: 16_000,
  nounsOfWaiting: 4,
  words: 45_000,
} as const

/** @returns what one annotation, one event and one query run through, counted by a service in a process of its own */
export function countTrips(): Record<TripName, Trip> {
  const args = [join(import.meta.dirname, 'trips.ts')]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
}

export function sourceFiles(): string[] {
  return globSync(['src/**/*.ts', 'packages/*/src/**/*.{ts,tsx}']).filter((file) => !file.endsWith('.d.ts'))
}

/** @returns what the folder of waiting exports besides functions and constants */
export function nounsOfWaiting(): string[] {
  return globSync('packages/runtime/src/concurrency/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^export (?:abstract )?class (\w+)/gm)].map(([, name = '']) => name),
  )
}

/** Conditions on which store this is, and members that only some stores have. */
const ASKING = [
  /\bis(?:Alone|Shared|Server|Cluster|Embedded)\b/,
  /\bcluster(?:Name)? (?:\?|&&|\|\||[!=]==)|\(!?cluster\)|[!=]== ?cluster\b/,
  /\b(?:tables|store|engine|reader|records)\.\w+\?\.\(/,
]

/** @returns the lines of storage that ask it, as `file:line` */
export function asksWhichStore(): string[] {
  const files = globSync('packages/{event-store,records,service}/src/**/*.ts')
  return files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, at) => (ASKING.some((asking) => asking.test(line)) ? [`${file}:${at + 1}`] : [])),
  )
}

export function words(): number {
  const pages = ['README.md', 'CHANGELOG.md', ...globSync('docs/**/*.md')]
  return pages.reduce((sum, page) => sum + readFileSync(page, 'utf8').split(/\s+/).filter(Boolean).length, 0)
}
