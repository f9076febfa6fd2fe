/**
 * The parts of undici that the transport loads one by one (see docs/decisions/0001-what-the-step-loads.md):
 * the package's entry point evaluates fetch, WebSocket, caches and mocks as well.
 */
declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici'
  export default Pool
}

declare module 'undici/lib/dispatcher/env-http-proxy-agent.js' {
  import { EnvHttpProxyAgent } from 'undici'
  export default EnvHttpProxyAgent
}

declare module 'undici/lib/dispatcher/dispatcher.js' {
  import { Dispatcher } from 'undici'
  export default Dispatcher
}

declare module 'undici/lib/api/api-connect.js' {
  import { Dispatcher } from 'undici'

  const connect: Dispatcher['connect']
  export default connect
}
