/** The published entry point of the client: `createClient`, the errors it throws, and the types of what goes in and out. */
export type { Annotation, AnnotationChange, AnnotationFilter, NewAnnotation } from '@deployment-annotations/contract/annotation'
export type { AnnotationJob } from '@deployment-annotations/contract/annotation-job'
export type { DatasetChange, DatasetFields, DatasetInfo, NewDataset } from '@deployment-annotations/contract/dataset'
export type { IngestFailure, IngestResult } from '@deployment-annotations/contract/event'
export type { Health } from '@deployment-annotations/contract/health'
export type { Language } from '@deployment-annotations/contract/language'
export type * from '@deployment-annotations/contract/monitor'
export type * from '@deployment-annotations/contract/notifier'
export type { Capability, Permission } from '@deployment-annotations/contract/permission'
export type { ChangeFilter, Changes, ReleaseFilter, Releases } from '@deployment-annotations/contract/release'
export type { SavedQuery } from '@deployment-annotations/contract/saved-query'
export type { NewSavedView, SavedView, SavedViewChange } from '@deployment-annotations/contract/saved-view'
export type { NewToken, TokenRegeneration } from '@deployment-annotations/contract/token'
export type { OwnPermissions } from '@deployment-annotations/contract/user'
export type { NewVirtualField, VirtualField } from '@deployment-annotations/contract/virtual-field'
export type { AnnotationCallOptions } from './annotation-calls.ts'
export type { AnnotationPagesOptions, AnnotationsClient, CreateOptions, PutOptions } from './annotations.ts'
export type { CallOptions } from './calls.ts'
export {
  type Client,
  createClient,
  createResources,
  type Dataset,
  type DatasetField,
  type MadeToken,
  type Organization,
  type Owner,
  type Resources,
  type Token,
} from './client.ts'
export type { Clock } from './clock.ts'
export { type ClientOptions, DEFAULT_BASE_URL, DEFAULT_TIMEOUT_MS } from './connection.ts'
export * from './errors.ts'
export type { Hints } from './hints.ts'
export { type FailedBatch, type IngestClient, IngestError, type IngestOptions } from './ingest.ts'
export { createIngestQueue, type IngestQueue, type IngestQueueOptions } from './ingest-queue.ts'
export type { LegacyQuery, PagesEnd, PagesOptions, QueryClient, QueryOptions, Row } from './query.ts'
export { readRows } from './query.ts'
export type * from './query-result.ts'
export { type Transport, WireError, type WireReply, type WireRequest } from './transport.ts'
