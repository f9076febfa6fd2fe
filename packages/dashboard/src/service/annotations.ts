/** Requests to the annotation endpoints. */
import { ANNOTATIONS_PATH, annotationPath } from '@deployment-annotations/contract/annotation'
import type { Annotation, AnnotationChange, NewAnnotation } from '@deployment-annotations/contract/schemas/annotation'
import { createRequests, request } from './request.ts'

/** @returns the annotations that overlap the range, in milliseconds since the epoch, ascending by time */
export function listAnnotations(startMs: number, endMs: number, signal: AbortSignal): Promise<Annotation[]> {
  const query = { start: new Date(startMs).toISOString(), end: new Date(endMs).toISOString() }
  return request<Annotation[]>(ANNOTATIONS_PATH, { query, signal })
}

/** @param startMs the earliest time; by default all annotations are listed */
export function listAnnotationsSince(startMs: number | undefined, signal: AbortSignal): Promise<Annotation[]> {
  const start = startMs === undefined ? undefined : new Date(startMs).toISOString()
  return request<Annotation[]>(ANNOTATIONS_PATH, { query: { start }, signal })
}

export const annotationRequests = createRequests<Annotation, NewAnnotation, AnnotationChange>(ANNOTATIONS_PATH, annotationPath)
