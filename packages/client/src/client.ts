/**
 * The client of the whole interface, over one connection. A program that needs one part only may open that part alone, as the
 * step does. A call goes down three floors: calls.ts repeats it, request.ts asks once, fetch.ts carries bytes.
 */
import { INTEGRATION_CALLS, type INTEGRATIONS } from '@deployment-annotations/contract/integration'
import { MONITOR_CALLS, type MONITORS } from '@deployment-annotations/contract/monitor'
import { NOTIFIER_CALLS, type NOTIFIERS } from '@deployment-annotations/contract/notifier'
import { ORGANIZATION_CALLS, type ORGANIZATIONS } from '@deployment-annotations/contract/organization'
import { RELEASE_CALLS, type RELEASES } from '@deployment-annotations/contract/release'
import { type SAVED_QUERIES, SAVED_QUERY_CALLS } from '@deployment-annotations/contract/saved-query'
import { SAVED_VIEW_CALLS, type SAVED_VIEWS } from '@deployment-annotations/contract/saved-view'
import type { InferClient } from '@deployment-annotations/contract/schema'
import { TOKEN_CALLS, type TOKENS } from '@deployment-annotations/contract/token'
import { USER_CALLS, type USER_OPERATIONS } from '@deployment-annotations/contract/user'
import { type AnnotationsClient, createAnnotationsClient } from './annotations.ts'
import { type ClientOptions, openConnection } from './connection.ts'
import { createDatasetsClient, type DatasetsClient } from './datasets.ts'
import { createFetchTransport } from './fetch.ts'
import { createIngestClient, type IngestClient } from './ingest.ts'
import { createMapFieldsClient, type MapFieldsClient } from './map-fields.ts'
import { createQueryClient, type QueryClient } from './query.ts'
import { type ClientOf, createCalls } from './resources.ts'
import { createServiceInfoClient, type ServiceInfoClient } from './service-info.ts'
import { createVirtualFieldsClient, type VirtualFieldsClient } from './virtual-fields.ts'

export type IntegrationsClient = ClientOf<typeof INTEGRATION_CALLS, typeof INTEGRATIONS>

export type MonitorsClient = ClientOf<typeof MONITOR_CALLS, typeof MONITORS>

export type NotifiersClient = ClientOf<typeof NOTIFIER_CALLS, typeof NOTIFIERS>

export type OrganizationsClient = ClientOf<typeof ORGANIZATION_CALLS, typeof ORGANIZATIONS>
/** Members that the hosted service may leave out are optional here. */
export type Organization = InferClient<typeof ORGANIZATIONS.get.gives>

export type ReleasesClient = ClientOf<typeof RELEASE_CALLS, typeof RELEASES>

export type SavedQueriesClient = ClientOf<typeof SAVED_QUERY_CALLS, typeof SAVED_QUERIES>

export type SavedViewsClient = ClientOf<typeof SAVED_VIEW_CALLS, typeof SAVED_VIEWS>

export type TokensClient = ClientOf<typeof TOKEN_CALLS, typeof TOKENS>
/** Members that the hosted service does not have, or may leave out, are optional here. */
export type Token = InferClient<typeof TOKENS.get.gives>
/** With `token`, its secret. */
export type MadeToken = InferClient<typeof TOKENS.create.gives>

export type UserClient = ClientOf<typeof USER_CALLS, typeof USER_OPERATIONS>
/** Members that the hosted service may leave out are optional here. */
export type Owner = InferClient<typeof USER_OPERATIONS.get.gives>

export interface Client extends IngestClient, QueryClient, AsyncDisposable {
  readonly annotations: AnnotationsClient
  readonly datasets: DatasetsClient
  readonly integrations: IntegrationsClient
  readonly mapFields: MapFieldsClient
  readonly monitors: MonitorsClient
  readonly notifiers: NotifiersClient
  readonly organizations: OrganizationsClient
  readonly releases: ReleasesClient
  readonly savedQueries: SavedQueriesClient
  readonly savedViews: SavedViewsClient
  readonly serviceInfo: ServiceInfoClient
  readonly tokens: TokensClient
  readonly user: UserClient
  readonly virtualFields: VirtualFieldsClient
  /** Ends all connections; calls under way fail. */
  close(): Promise<void>
}

/** @throws ConfigError where a setting is unusable; nothing is sent here */
export function createClient(options: ClientOptions): Client {
  const connection = openConnection(options, createFetchTransport)
  const close = () => connection.transport.close()
  return {
    annotations: createAnnotationsClient(connection),
    datasets: createDatasetsClient(connection),
    integrations: createCalls<IntegrationsClient>(connection, INTEGRATION_CALLS),
    mapFields: createMapFieldsClient(connection),
    monitors: createCalls<MonitorsClient>(connection, MONITOR_CALLS),
    notifiers: createCalls<NotifiersClient>(connection, NOTIFIER_CALLS),
    organizations: createCalls<OrganizationsClient>(connection, ORGANIZATION_CALLS),
    releases: createCalls<ReleasesClient>(connection, RELEASE_CALLS),
    savedQueries: createCalls<SavedQueriesClient>(connection, SAVED_QUERY_CALLS),
    savedViews: createCalls<SavedViewsClient>(connection, SAVED_VIEW_CALLS),
    serviceInfo: createServiceInfoClient(connection),
    tokens: createCalls<TokensClient>(connection, TOKEN_CALLS),
    user: createCalls<UserClient>(connection, USER_CALLS),
    virtualFields: createVirtualFieldsClient(connection),
    ...createIngestClient(connection),
    ...createQueryClient(connection),
    close,
    [Symbol.asyncDispose]: close,
  }
}
