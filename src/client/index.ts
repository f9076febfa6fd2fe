/** The published entry point of the client: `import { createClient } from 'deployment-annotations/client'`. */
export type { Annotation, AnnotationChange, AnnotationFilter, NewAnnotation } from '../api/annotation.ts'
export type { AnnotationsClient, CallOptions, CreateOptions } from './annotations.ts'
export { type Client, type ClientOptions, createClient, DEFAULT_BASE_URL, DEFAULT_TIMEOUT_MS } from './client.ts'
export type { Clock } from './clock.ts'
export * from './errors.ts'
export type { Transport, WireReply, WireRequest } from './transport.ts'
export { WireError } from './transport.ts'
