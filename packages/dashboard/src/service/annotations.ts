/** Requests to the annotation endpoints. */
import { ANNOTATION_CALLS, type ANNOTATIONS } from '@deployment-annotations/contract/annotation'
import { createCalls, type RequestsOf } from './request.ts'

export const annotationRequests = createCalls<RequestsOf<typeof ANNOTATION_CALLS, typeof ANNOTATIONS>>(ANNOTATION_CALLS)
