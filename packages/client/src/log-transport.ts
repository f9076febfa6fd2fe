/**
 * What the transports of loggers have in common: their options, and a queue for one dataset.
 */
import { type ClientOptions, openConnection } from './connection.ts'
import { createFetchTransport } from './fetch.ts'
import { createIngestClient } from './ingest.ts'
import { createIngestQueue, type IngestQueue, type IngestQueueOptions } from './ingest-queue.ts'

export interface LogTransportOptions extends Omit<ClientOptions, 'baseUrl' | 'timeoutMs'>, IngestQueueOptions {
  dataset: string
  /** Address of the service; by default the hosted one. */
  url?: string
}

/** @throws ConfigError where a setting is unusable */
export function openLogQueue({ url, ...options }: LogTransportOptions): IngestQueue {
  const connection = openConnection({ ...options, ...(url !== undefined && { baseUrl: url }) }, createFetchTransport)
  return createIngestQueue(createIngestClient(connection), options)
}
