/**
 * The exchange over undici, with a proxy where the environment names one.
 */
import { type Dispatcher, Pool, ProxyAgent } from 'undici'
import { readProxy } from './proxy.ts'
import {
  CONNECT_TIMEOUT_MS,
  createReplyReader,
  exchangeError,
  PROXY_REFUSED,
  type Transport,
  WireError,
  type WireReply,
  type WireRequest,
} from './transport.ts'

/**
 * @param origin scheme, host and port that every request goes to
 * @param env where the proxy variables are looked up: `https_proxy`, `http_proxy`, `no_proxy` in either case
 * @throws ConfigError where one of them is no address of a proxy
 */
export function createUndiciTransport(origin: URL, env: NodeJS.ProcessEnv = process.env): Transport {
  // The budget of the call bounds headers and body; undici's own five minutes would only hide it.
  const options = { headersTimeout: 0, bodyTimeout: 0 }
  const connect = { timeout: CONNECT_TIMEOUT_MS }
  const proxy = readProxy(origin, env)
  const dispatcher = proxy?.url
    ? new ProxyAgent({ ...options, uri: proxy.url, requestTls: connect, proxyTls: connect })
    : new Pool(origin.origin, { ...options, connect })
  const proxyVariable = proxy?.url && proxy.variable
  return {
    send: (request) => exchange(dispatcher, request, (error) => explain(error, proxyVariable)),
    close: () => dispatcher.destroy(),
  }
}

function exchange(dispatcher: Dispatcher, request: WireRequest, explain: (error: Error) => Error): Promise<WireReply> {
  const { method, url, headers, body = null, signal } = request
  const received = createReplyReader(request)
  const reply: WireReply = { status: 0, headers: {}, text: '' }
  let controller: Dispatcher.DispatchController | undefined
  let isSent = false
  let abort = () => {}
  const replied = new Promise<WireReply>((resolve, reject) => {
    const fail = (cause: unknown) => {
      reject(new WireError(isSent, cause))
      controller?.abort(cause instanceof Error ? cause : new Error(String(cause)))
    }
    abort = () => fail(signal.reason)
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort)
    const target = { origin: url.origin, path: url.pathname + url.search, method: method as Dispatcher.HttpMethod }
    dispatcher.dispatch(
      { ...target, headers, body },
      {
        // Called once a connection has been made and right before the request is written to it.
        onRequestStart(started) {
          controller = started
          if (signal.aborted) started.abort(signal.reason)
          else isSent = true
        },
        onResponseStart: (_, status, headers) => void Object.assign(reply, { status, headers }),
        onResponseData: (_, chunk) => received.add(chunk),
        onResponseEnd: () => resolve({ ...reply, text: received.end() }),
        onResponseError: (_, error) => fail(explain(error)),
      },
    )
  })
  return replied.finally(() => signal.removeEventListener('abort', abort))
}

/** Says of an error what is the proxy's: a name that no name server knows, and an answer to the CONNECT that another try would not change. */
function explain(error: Error, proxyVariable: string | undefined): Error {
  const refusal = /^Proxy response \((4\d\d)\)/.exec(error.message)?.[1]
  if (refusal === undefined || ['408', '429'].includes(refusal)) return Object.assign(error, proxyVariable && { proxyVariable })
  const reason = refusal === '407' ? ', because it wants a user name and a password that are right' : ''
  return exchangeError(PROXY_REFUSED, `the proxy answered ${refusal}${reason}`, { cause: error })
}
