/**
 * How the steps reach the service.
 */
import { createLightTransport } from '@deployment-annotations/client/light-transport'
import type { Transport } from '@deployment-annotations/client/transport'

export function createStepTransport(origin: URL): Transport {
  return createLightTransport(origin, () => import('./proxy.ts' /* webpackIgnore: true */))
}
