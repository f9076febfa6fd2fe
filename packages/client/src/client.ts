/**
 * The client of the whole interface, over one connection. A program that needs one part only may open that part alone, as the
 * step does. A call goes down three floors: calls.ts repeats it, request.ts asks once, fetch.ts carries bytes.
 */
import { DATASET_CALLS, type DATASETS } from '@deployment-annotations/contract/dataset'
import { HEALTH_CALLS, type HEALTH_OPERATIONS } from '@deployment-annotations/contract/health'
import { INTEGRATION_CALLS, type INTEGRATIONS } from '@deployment-annotations/contract/integration'
import { type LANGUAGE, LANGUAGE_CALLS } from '@deployment-annotations/contract/language'
import { MAP_FIELD_CALLS, type MAP_FIELDS } from '@deployment-annotations/contract/map-field'
import { MONITOR_CALLS, type MONITORS } from '@deployment-annotations/contract/monitor'
import { NOTIFIER_CALLS, type NOTIFIERS } from '@deployment-annotations/contract/notifier'
import { ORGANIZATION_CALLS, type ORGANIZATIONS } from '@deployment-annotations/contract/organization'
import { RELEASE_CALLS, type RELEASES } from '@deployment-annotations/contract/release'
import { type SAVED_QUERIES, SAVED_QUERY_CALLS } from '@deployment-annotations/contract/saved-query'
import { SAVED_VIEW_CALLS, type SAVED_VIEWS } from '@deployment-annotations/contract/saved-view'
import type { InferClient } from '@deployment-annotations/contract/schema'
import { TOKEN_CALLS, type TOKENS } from '@deployment-annotations/contract/token'
import { USER_CALLS, type USER_OPERATIONS } from '@deployment-annotations/contract/user'
import { VIRTUAL_FIELD_CALLS, type VIRTUAL_FIELDS } from '@deployment-annotations/contract/virtual-field'
import { type AnnotationsClient, createAnnotationsClient } from './annotations.ts'
import { type ClientOptions, type Connection, openConnection } from './connection.ts'
import { createFetchTransport } from './fetch.ts'
import { createIngestClient, type IngestClient } from './ingest.ts'
import { createQueryClient, type QueryClient } from './query.ts'
import { type ClientOf, createCalls } from './resources.ts'

export type Resources = Readonly<ReturnType<typeof createResources>>

export interface Client extends Resources, IngestClient, QueryClient, AsyncDisposable {
  readonly annotations: AnnotationsClient
  /** Ends all connections; calls under way fail. */
  close(): Promise<void>
}

/** Members that the hosted service does not have, or may leave out, are optional in these. */
export type Dataset = InferClient<typeof DATASETS.get.gives>
/** Dotted for nested objects; the types seen in it are joined by `|`. */
export type DatasetField = InferClient<typeof DATASETS.fields.gives>[number]
export type Organization = InferClient<typeof ORGANIZATIONS.get.gives>
export type Owner = InferClient<typeof USER_OPERATIONS.get.gives>
export type Token = InferClient<typeof TOKENS.get.gives>
/** With `token`, its secret. */
export type MadeToken = InferClient<typeof TOKENS.create.gives>

/** @returns the resources that need no code of their own, each with its calls */
export function createResources(connection: Connection) {
  // An assertion of a type stands in the published declarations as it is written, and so with the comments of the calls.
  return {
    datasets: createCalls(connection, DATASET_CALLS) as ClientOf<typeof DATASET_CALLS, typeof DATASETS>,
    integrations: createCalls(connection, INTEGRATION_CALLS) as ClientOf<typeof INTEGRATION_CALLS, typeof INTEGRATIONS>,
    mapFields: createCalls(connection, MAP_FIELD_CALLS) as ClientOf<typeof MAP_FIELD_CALLS, typeof MAP_FIELDS>,
    monitors: createCalls(connection, MONITOR_CALLS) as ClientOf<typeof MONITOR_CALLS, typeof MONITORS>,
    notifiers: createCalls(connection, NOTIFIER_CALLS) as ClientOf<typeof NOTIFIER_CALLS, typeof NOTIFIERS>,
    organizations: createCalls(connection, ORGANIZATION_CALLS) as ClientOf<typeof ORGANIZATION_CALLS, typeof ORGANIZATIONS>,
    releases: createCalls(connection, RELEASE_CALLS) as ClientOf<typeof RELEASE_CALLS, typeof RELEASES>,
    savedQueries: createCalls(connection, SAVED_QUERY_CALLS) as ClientOf<typeof SAVED_QUERY_CALLS, typeof SAVED_QUERIES>,
    savedViews: createCalls(connection, SAVED_VIEW_CALLS) as ClientOf<typeof SAVED_VIEW_CALLS, typeof SAVED_VIEWS>,
    serviceInfo: createCalls(connection, { ...HEALTH_CALLS, ...LANGUAGE_CALLS }) as ClientOf<
      typeof HEALTH_CALLS & typeof LANGUAGE_CALLS,
      typeof HEALTH_OPERATIONS & typeof LANGUAGE
    >,
    tokens: createCalls(connection, TOKEN_CALLS) as ClientOf<typeof TOKEN_CALLS, typeof TOKENS>,
    user: createCalls(connection, USER_CALLS) as ClientOf<typeof USER_CALLS, typeof USER_OPERATIONS>,
    virtualFields: createCalls(connection, VIRTUAL_FIELD_CALLS) as ClientOf<typeof VIRTUAL_FIELD_CALLS, typeof VIRTUAL_FIELDS>,
  }
}

/** @throws ConfigError where a setting is unusable; nothing is sent here */
export function createClient(options: ClientOptions): Client {
  const connection = openConnection(options, createFetchTransport)
  const close = () => connection.transport.close()
  return {
    ...createResources(connection),
    annotations: createAnnotationsClient(connection),
    ...createIngestClient(connection),
    ...createQueryClient(connection),
    close,
    [Symbol.asyncDispose]: close,
  }
}
