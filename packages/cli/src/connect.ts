/**
 * The client as the command uses it, and what its calls write to the log along the way.
 */

import { createAnnotationsClient } from '@deployment-annotations/client/annotations'
import type { CallOptions } from '@deployment-annotations/client/calls'
import type { Client } from '@deployment-annotations/client/client'
import { openConnection } from '@deployment-annotations/client/connection'
import { createLightTransport } from '@deployment-annotations/client/light-transport'
import { createQueryClient } from '@deployment-annotations/client/query'
import { createCalls } from '@deployment-annotations/client/resources'
import { USER_AGENT } from '@deployment-annotations/client/version'
import { DATASET_CALLS } from '@deployment-annotations/contract/dataset'
import { RELEASE_CALLS } from '@deployment-annotations/contract/release'
import { explainRetry } from '@deployment-annotations/inputs/explain'
import type { ServiceInputs } from '@deployment-annotations/inputs/service'
import { log } from './output.ts'

interface CommandClient extends Pick<Client, 'annotations' | 'datasets' | 'query' | 'releases'>, AsyncDisposable {}

export const userAgent = `${USER_AGENT} annotate`

export const createTransport = (origin: URL) =>
  createLightTransport(origin, () => import('@deployment-annotations/client/undici'))

export function connect(service: ServiceInputs): CommandClient {
  const connection = openConnection({ ...service, scheme: service.token === '' ? 'none' : 'bearer', userAgent }, createTransport)
  const { query } = createQueryClient(connection)
  return {
    annotations: createAnnotationsClient(connection),
    datasets: createCalls<Client['datasets']>(connection, DATASET_CALLS),
    query,
    releases: createCalls<Client['releases']>(connection, RELEASE_CALLS),
    [Symbol.asyncDispose]: () => connection.transport.close(),
  }
}

/** @param onLostAnswer called when it is not known whether a request took effect */
export function callOptions(onLostAnswer: () => void = () => undefined): CallOptions {
  return {
    onLostAnswer,
    onRetry: (failure, waitMs) => log(explainRetry(failure, waitMs)),
  }
}
