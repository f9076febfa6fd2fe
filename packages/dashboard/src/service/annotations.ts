/** Requests to the annotation endpoints. */
import { ANNOTATIONS_PATH, annotationPath } from '@deployment-annotations/contract/annotation'
import { INCLUDE_ALL, withAllMembers } from '@deployment-annotations/contract/header'
import type { Annotation, AnnotationChange, NewAnnotation } from '@deployment-annotations/contract/schemas/annotation'
import { createRequests, request } from './request.ts'

/** @returns the annotations that overlap the range, in milliseconds since the epoch, ascending by time */
export function listAnnotations(startMs: number, endMs: number, signal: AbortSignal): Promise<Annotation[]> {
  const query = { ...INCLUDE_ALL, start: new Date(startMs).toISOString(), end: new Date(endMs).toISOString() }
  return request<Annotation[]>(ANNOTATIONS_PATH, { query, signal })
}

/** @param startMs the earliest time; by default all annotations are listed */
export function listAnnotationsSince(startMs: number | undefined, signal: AbortSignal): Promise<Annotation[]> {
  const start = startMs === undefined ? undefined : new Date(startMs).toISOString()
  return request<Annotation[]>(ANNOTATIONS_PATH, { query: { ...INCLUDE_ALL, start }, signal })
}

export const annotationRequests = createRequests<Annotation, NewAnnotation, AnnotationChange>(
  withAllMembers(ANNOTATIONS_PATH),
  (id) => withAllMembers(annotationPath(id)),
)
