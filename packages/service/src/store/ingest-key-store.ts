/**
 * The keys of repeatable ingest requests as kept: records that are only added, one for each thing that became of a request.
 * Deliberately not here: SQL, and what follows from a record.
 */
import type { EventPosition } from './event-tables.ts'

/** `intent`: its rows are about to be stored; `done`: they were; `void`: they were not. */
export type KeyState = 'intent' | 'done' | 'void'

export interface KeyRecord {
  /** Hash over token, dataset and Idempotency-Key. */
  key: string
  /** Hash over body and parameters. */
  payload: string
  state: KeyState
  /** Table of the dataset; empty where it does not matter. */
  table: string
  /** Where to look whether the rows of an intent were stored; absent where no row was to be. */
  first?: EventPosition | undefined
  /** What was answered. */
  result: string
  writtenAtMs: number
  /** Of two records of one key the one with the higher sequence is later. */
  sequence: number
}

export interface IngestKeyStore {
  /** Resolves once all are on disk, or rejects with none. */
  add(records: readonly KeyRecord[]): Promise<void>
  /** The records of a key that were written at or after `sinceMs`, in order. */
  find(key: string, sinceMs: number): Promise<KeyRecord[]>
  /** The intents written at or after `sinceMs` that nothing followed. */
  listOpen(sinceMs: number): Promise<KeyRecord[]>
}
