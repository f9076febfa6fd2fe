/** What the bench needs of a store, and of its SQL where that is written by hand. Deliberately not here: the stores, one file for each, and the measuring (`../peers.ts`). */
import type { Constants, Question } from './questions.ts'

/** Of an answer: cells by the names of their columns. */
export type Row = Readonly<Record<string, unknown>>

export interface System extends AsyncDisposable {
  readonly name: string
  readonly version: string
  /** What is promised of events when their request is answered, and how many write at a time. */
  readonly promise: string
  readonly writers: number
  /** @param body a JSON array of events. @returns when they are stored as durably as promised */
  insert(body: Buffer, writer: number): Promise<void>
  /** Leaves the data as it is after a while: merged, checkpointed, analyzed. @returns bytes on disk */
  settle(): Promise<number>
  /** The same events after everything was merged, once they are settled; absent where `settle` merges everything. */
  merged?(): Promise<System>
  /** @returns the question ready to be asked, with nothing left to look up first */
  prepare(question: Question, constants: Constants): Promise<() => Promise<readonly Row[]>>
}

/** What differs between the SQL of the stores. */
export interface Dialect {
  /** A field as text and as a number: a column, or a member of a JSON document. */
  text(field: string): string
  number(field: string): string
  time(iso: string): string
  /** The start of the interval that an event's time is in. */
  bin(minutes: number): string
  p95(value: string): string
  distinct(value: string): string
  /** Whatever the case of its letters. */
  hasWord(value: string, word: string): string
  contains(value: string, part: string): string
}
