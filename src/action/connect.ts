/**
 * The client as both steps use it, and what its calls write to the log along the way.
 */
import { type AnnotationsClient, createAnnotationsClient } from '@deployment-annotations/client/annotations'
import type { CallOptions } from '@deployment-annotations/client/calls'
import { openConnection } from '@deployment-annotations/client/connection'
import { createNodeTransport } from '@deployment-annotations/client/node-transport'
import { readProxyVariable, type Transport } from '@deployment-annotations/client/transport'
import { USER_AGENT } from '@deployment-annotations/client/version'
import type { ServiceInputs } from '@deployment-annotations/inputs/service'
import { toLog } from '@deployment-annotations/inputs/text'
import { saveDoubt } from './state.ts'
import { core } from './toolkit.ts'

/** Only the annotations of the client: what the step does not use is not in its bundle. */
export function connect(service: ServiceInputs): { annotations: AnnotationsClient } & AsyncDisposable {
  const connection = openConnection({ ...service, userAgent: `${USER_AGENT} step` }, createStepTransport)
  return { annotations: createAnnotationsClient(connection), [Symbol.asyncDispose]: () => connection.transport.close() }
}

function createStepTransport(origin: URL): Transport {
  if (readProxyVariable(origin, process.env) === undefined) return createNodeTransport(origin)
  const loading = import('./proxy.ts' /* webpackIgnore: true */).then((proxy) => proxy.createUndiciTransport(origin))
  return {
    send: async (request) => (await loading).send(request),
    close: async () => (await loading).close(),
  }
}

export const callOptions: CallOptions = {
  onRetry(failure, waitMs) {
    if (failure.mayHaveTakenEffect) saveDoubt()
    core.info(`${toLog(failure.message)}; trying again in ${(waitMs / 1_000).toFixed(1)} s`)
  },
}
