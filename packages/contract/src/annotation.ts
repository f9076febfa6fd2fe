/**
 * The annotation of the wire contract (sections 2.1, 4.1–4.5, 8): shapes, field rules and paths.
 * Shared by client and service; no I/O.
 */

/** A marker on the charts of its datasets. Members that are not set are absent, never `""` or `null`. */
export interface Annotation {
  /** Assigned by the service; begins with `ann_`. */
  id: string
  /** Names of the datasets on whose charts it appears. */
  datasets: string[]
  /** What it marks, or the begin of the span: RFC 3339, UTC, up to nanoseconds. */
  time: string
  /** End of the span, in the form of `time`. */
  endTime?: string
  title?: string
  /** Markdown. */
  description?: string
  /** Kind of the marked event, for example `production-deploy`. */
  type: string
  url?: string
}

/** What a create sends. Without `time` the service takes the time of the request. */
export interface NewAnnotation extends Omit<Annotation, 'id' | 'time'> {
  time?: string
}

/** What a change sends: only the members to change. An empty title, description or url unsets it; `endTime` cannot be unset. */
export type AnnotationChange = Partial<NewAnnotation>

/** Which annotations to list: those whose span touches `[start, end]` and that have one of the `datasets`. */
export interface AnnotationFilter {
  start?: string
  end?: string
  datasets?: readonly string[]
}

export const ANNOTATIONS_PATH = '/v2/annotations'

/** @returns the path of one annotation, its id escaped */
export function annotationPath(id: string): string {
  return `${ANNOTATIONS_PATH}/${encodeURIComponent(id)}`
}

export const ANNOTATION_ID_PATTERN = /^ann_[A-Za-z0-9_-]{1,64}$/
export const ANNOTATION_TYPE_PATTERN = /^[a-z0-9-]+$/

/** Longest texts, in Unicode code points. */
export const TYPE_POINTS_MAX = 256
export const TITLE_POINTS_MAX = 256
export const DESCRIPTION_POINTS_MAX = 512
export const URL_POINTS_MAX = 512
