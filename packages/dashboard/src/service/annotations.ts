/** Requests to the annotation endpoints. */
import { ANNOTATION_CALLS, type ANNOTATIONS, type Annotation } from '@deployment-annotations/contract/annotation'
import { createCalls, type RequestsOf } from './request.ts'

export const annotationRequests = createCalls<RequestsOf<typeof ANNOTATION_CALLS, typeof ANNOTATIONS>>(ANNOTATION_CALLS)

/** @returns the annotations that overlap the range, in milliseconds since the epoch, ascending by time */
export function listAnnotations(startMs: number, endMs: number, signal: AbortSignal): Promise<Annotation[]> {
  return annotationRequests.list({ start: new Date(startMs).toISOString(), end: new Date(endMs).toISOString() }, signal)
}

/** @param startMs the earliest time; by default all annotations are listed */
export function listAnnotationsSince(startMs: number | undefined, signal: AbortSignal): Promise<Annotation[]> {
  return annotationRequests.list({ start: startMs === undefined ? undefined : new Date(startMs).toISOString() }, signal)
}
