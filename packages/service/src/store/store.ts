/**
 * What the service needs kept, in its own words. Routes and rules speak to these interfaces; the engine stays behind them.
 * Deliberately not here: SQL, wire text (times are nanoseconds), and rules such as "endTime is not before time".
 */
import type { DeploymentStore } from './deployment-store.ts'

/** An annotation as kept: the wire's members, with instants as nanoseconds since the Unix epoch. Absent means unset. */
export interface StoredAnnotation {
  id: string
  datasets: string[]
  timeNs: bigint
  endTimeNs?: bigint
  title?: string
  description?: string
  type: string
  url?: string
}

/** The members a change sets. An empty text unsets a member; a span's end cannot be unset. */
export type StoredChange = Partial<Omit<StoredAnnotation, 'id'>>

/** Who made an annotation, when, and under which key a repeat of the request would arrive. */
export interface Provenance {
  createdAtMs: number
  /** Id of the token, or of the monitor. */
  createdBy: string
  repeat?: RepeatMark
}

/** Recognizes the repeat of a create. Kept in the annotation's own row, so that neither is ever stored without the other. */
interface RepeatMark {
  /** Hash over the caller and the key it sent. */
  key: string
  /** Hash over what it asked for. */
  payload: string
}

/** Annotations whose span `[timeNs, endTimeNs ?? timeNs]` touches `[startNs, endNs]` and that have one of the datasets. */
export interface StoredFilter {
  startNs?: bigint
  endNs?: bigint
  /** Absent: all datasets. */
  datasets?: readonly string[]
}

/** The last annotation of the page before. */
export interface ListPosition {
  timeNs: bigint
  id: string
}

export interface AnnotationStore {
  /** Resolves once the annotation is on disk. */
  create(annotation: StoredAnnotation, provenance: Provenance): Promise<void>
  find(id: string): Promise<StoredAnnotation | undefined>
  /** The annotation that a create with this key made at or after `sinceMs`, with the hash of what that create asked for. */
  findRepeated(key: string, sinceMs: number): Promise<{ annotation: StoredAnnotation; payload: string } | undefined>
  /** One page, ascending by time, then id; the next one is asked for with the position of the last one's end. */
  list(filter: StoredFilter, limit: number, after?: ListPosition): Promise<StoredAnnotation[]>
  /** Sets the given members and leaves the others to concurrent changes. Resolves once on disk. */
  change(id: string, change: StoredChange): Promise<void>
  /** Resolves once it is gone on disk; an unknown id is no error. */
  remove(id: string): Promise<void>
}

export interface Store {
  annotations: AnnotationStore
  deployments: DeploymentStore
  /** Rejects when the store cannot be read. */
  check(): Promise<void>
  /** Waits for what is under way, then closes; nothing may be asked of the store afterwards. */
  close(): Promise<void>
}
