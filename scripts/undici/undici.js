/**
 * What the step's bundle has in place of `undici` (see scripts/bundle.ts): the two dispatchers that the client's transport
 * uses, by their own files, because the package's entry point evaluates fetch, WebSocket, caches and mocks as well; and what the
 * toolkit's client of the repository asks for, whose fetch is Node's own. The lock file holds the version whose files these are.
 */
import Pool from 'undici/lib/dispatcher/pool.js'
import { ProxyAgent } from './proxy-agents.cjs'

const fetch = (...given) => globalThis.fetch(...given)

export { fetch, Pool, ProxyAgent }
