/**
 * The client of the whole interface, over one connection. A program that needs one part only may open that part alone, as the
 * step does. A call goes down three floors: calls.ts repeats it, request.ts asks once, fetch.ts carries bytes.
 */
import type { Call } from '@deployment-annotations/contract/call'
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

/** How each resource is called that needs no code of its own. */
const CALLS = {
  datasets: DATASET_CALLS,
  integrations: INTEGRATION_CALLS,
  mapFields: MAP_FIELD_CALLS,
  monitors: MONITOR_CALLS,
  notifiers: NOTIFIER_CALLS,
  organizations: ORGANIZATION_CALLS,
  releases: RELEASE_CALLS,
  savedQueries: SAVED_QUERY_CALLS,
  savedViews: SAVED_VIEW_CALLS,
  serviceInfo: { ...HEALTH_CALLS, ...LANGUAGE_CALLS },
  tokens: TOKEN_CALLS,
  user: USER_CALLS,
  virtualFields: VIRTUAL_FIELD_CALLS,
}

type Calls = typeof CALLS

export interface Resources {
  readonly datasets: ClientOf<Calls['datasets'], typeof DATASETS>
  readonly integrations: ClientOf<Calls['integrations'], typeof INTEGRATIONS>
  readonly mapFields: ClientOf<Calls['mapFields'], typeof MAP_FIELDS>
  readonly monitors: ClientOf<Calls['monitors'], typeof MONITORS>
  readonly notifiers: ClientOf<Calls['notifiers'], typeof NOTIFIERS>
  readonly organizations: ClientOf<Calls['organizations'], typeof ORGANIZATIONS>
  readonly releases: ClientOf<Calls['releases'], typeof RELEASES>
  readonly savedQueries: ClientOf<Calls['savedQueries'], typeof SAVED_QUERIES>
  readonly savedViews: ClientOf<Calls['savedViews'], typeof SAVED_VIEWS>
  readonly serviceInfo: ClientOf<Calls['serviceInfo'], typeof HEALTH_OPERATIONS & typeof LANGUAGE>
  readonly tokens: ClientOf<Calls['tokens'], typeof TOKENS>
  readonly user: ClientOf<Calls['user'], typeof USER_OPERATIONS>
  readonly virtualFields: ClientOf<Calls['virtualFields'], typeof VIRTUAL_FIELDS>
}

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
export function createResources(connection: Connection): Resources {
  const resources = Object.entries<Record<string, Call>>(CALLS).map(([name, calls]) => [name, createCalls(connection, calls)])
  return Object.fromEntries(resources)
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
