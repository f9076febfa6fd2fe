/**
 * The client of the whole interface, over one connection. A program that needs one part only may open that part alone, as the
 * step does.
 */
import { type AnnotationsClient, createAnnotationsClient } from './annotations.ts'
import { type ClientOptions, openConnection } from './connection.ts'
import { createDatasetsClient, type DatasetsClient } from './datasets.ts'
import { createIngestClient, type IngestClient } from './ingest.ts'
import { createMonitorsClient, type MonitorsClient } from './monitors.ts'
import { createQueryClient, type QueryClient } from './query.ts'

export interface Client extends IngestClient, QueryClient, AsyncDisposable {
  readonly annotations: AnnotationsClient
  readonly datasets: DatasetsClient
  readonly monitors: MonitorsClient
  /** Ends all connections; calls under way fail. */
  close(): Promise<void>
}

/** @throws ConfigError where a setting is unusable; nothing is sent here */
export function createClient(options: ClientOptions): Client {
  const settings = openConnection(options)
  const close = () => settings.connection.transport.close()
  return {
    annotations: createAnnotationsClient(settings),
    datasets: createDatasetsClient(settings),
    monitors: createMonitorsClient(settings),
    ...createIngestClient(settings),
    ...createQueryClient(settings),
    close,
    [Symbol.asyncDispose]: close,
  }
}
