/**
 * The exchange for a process that asks once: over Node's own HTTP client, or over undici where a variable names a proxy. How
 * undici is loaded is left to the program, whose bundle it would otherwise be a part of that is read at each start.
 */
import { createNodeTransport } from './node-transport.ts'
import { readProxy } from './proxy.ts'
import type { Transport } from './transport.ts'

/**
 * @param origin scheme, host and port that every request goes to
 * @param load loads `undici.ts`; called only where there is a proxy
 */
export function createLightTransport(origin: URL, load: () => Promise<typeof import('./undici.ts')>): Transport {
  if (readProxy(origin, process.env)?.url === undefined) return createNodeTransport(origin)
  const loading = load().then((proxy) => proxy.createUndiciTransport(origin))
  return {
    send: async (request) => (await loading).send(request),
    close: async () => (await loading).close(),
  }
}
