/** The transport for runners with a proxy; a bundle of its own, because undici takes as long to load as the whole request. */
export { createUndiciTransport } from '@deployment-annotations/client/undici'
