/**
 * How the steps reach the service.
 */
import { createLightTransport } from '@deployment-annotations/client/light-transport'
import type { Transport } from '@deployment-annotations/client/transport'
import { core, loadDebug } from './toolkit.ts'

export function createStepTransport(origin: URL): Transport {
  const transport = createLightTransport(origin, () => import('./proxy.ts' /* webpackIgnore: true */))
  if (!core.isDebug()) return transport
  return { ...transport, send: async (request) => (await loadDebug()).send(transport, request) }
}
