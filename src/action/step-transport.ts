/**
 * How the steps reach the service: over Node's own client, and over undici where a variable names a proxy.
 */
import { createNodeTransport } from '@deployment-annotations/client/node-transport'
import { readProxyVariable, type Transport } from '@deployment-annotations/client/transport'

export function createStepTransport(origin: URL): Transport {
  if (readProxyVariable(origin, process.env) === undefined) return createNodeTransport(origin)
  const loading = import('./proxy.ts' /* webpackIgnore: true */).then((proxy) => proxy.createUndiciTransport(origin))
  return {
    send: async (request) => (await loading).send(request),
    close: async () => (await loading).close(),
  }
}
