/**
 * The annotation of the wire contract (sections 2.1, 4.1–4.5, 8): its shapes, rules and paths.
 * Its schemas are in schemas/annotation.ts: this file loads none, so that the step's bundle stays without their library.
 */
import type { Static } from 'typebox'
import { toSegment } from './path.ts'
import type { AnnotationChangeSchema, AnnotationSchema, NewAnnotationSchema } from './schemas/annotation.ts'

export * from './rules/annotation.ts'

/** A marker on the charts of its datasets. Members that are not set are absent, never `""` or `null`. */
export type Annotation = Static<typeof AnnotationSchema>

/** What a create sends. Without `time` the service takes the time of the request. */
export type NewAnnotation = Static<typeof NewAnnotationSchema>

/** What a change sends: only the members to change. An empty title, description or url unsets it; `endTime` cannot be unset. */
export type AnnotationChange = Static<typeof AnnotationChangeSchema>

/** Which annotations to list: those whose span touches `[start, end]` and that have one of the `datasets`. */
export interface AnnotationFilter {
  start?: string
  end?: string
  datasets?: readonly string[]
}

export const ANNOTATIONS_PATH = '/v2/annotations'

/** @returns the path of one annotation, its id escaped */
export function annotationPath(id: string): string {
  return `${ANNOTATIONS_PATH}/${toSegment(id)}`
}
