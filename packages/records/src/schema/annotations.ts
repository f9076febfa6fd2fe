/**
 * The row of an annotation.
 */
import type { Verdict } from '@deployment-annotations/contract/verdict'
import type { Generated } from 'kysely'
import {
  createCodec,
  flag,
  integer,
  json,
  number,
  oneOf,
  optional,
  type RecordOf,
  type RowOf,
  stored,
  text,
} from './row-codec.ts'

/** The content of an annotation: the members on the wire, with times as nanoseconds since the Unix epoch. An absent member is unset. */
const CONTENT = {
  datasets: json<string[]>(),
  timeNs: integer,
  endTimeNs: optional(integer),
  title: optional(text),
  description: optional(text),
  type: text,
  url: optional(text),
  /** It goes on, as far as anybody knows; one with an end does not. */
  open: stored('is_open', flag),
}
const ANNOTATION = {
  id: text,
  ...CONTENT,
  /** Absent if it was not judged. No change that people make has these. */
  verdict: optional(oneOf<Verdict>()),
  /** What the verdict is made of, as JSON. */
  verdictDetails: optional(text),
  createdAtMs: number,
  /** The id of the token, monitor or integration that created it. */
  createdBy: text,
}

/** What was said of where it belongs; nothing that is read from its texts. Together they are one column of JSON. */
export interface GivenTags {
  service?: string
  environment?: string
  version?: string
  tags?: string[]
}
export type AnnotationContent = RecordOf<typeof CONTENT> & GivenTags
/** A stored annotation. A change keeps its creator and the time of its creation. */
export type StoredAnnotation = RecordOf<typeof ANNOTATION> & GivenTags

export const CONTENT_CODEC = createCodec(CONTENT)
export const ANNOTATION_CODEC = createCodec(ANNOTATION)

/** The columns that are read as an annotation. */
export type MemberRow = RowOf<typeof ANNOTATION> & { tags: string | null }

export interface AnnotationsTable extends MemberRow {
  /** The end of a span, or the time of a point; lists filter by it. */
  until_ns: bigint
  /** A hash over caller and Idempotency-Key, or over the Annotation-Key, which has no caller and does not expire. */
  repeat_key: string | null
  /** A hash over the content of the create; empty with an Annotation-Key. */
  repeat_payload: string | null
  /** When it is judged next; null if that is over, or never was to be. */
  judge_at_ms: bigint | null
  /** 1 if the last notification said `worse`. */
  told_worse: Generated<bigint>
}
