/**
 * The exchange over undici, with a proxy where the environment names one.
 */
import { type Dispatcher, Pool, ProxyAgent } from 'undici'
import { readProxy } from './proxy.ts'
import {
  CONNECT_TIMEOUT_MS,
  ExchangeError,
  PROXY_REFUSED,
  ReplyBody,
  type Transport,
  WireError,
  type WireReply,
  type WireRequest,
} from './transport.ts'

/**
 * @param origin scheme, host and port that every request goes to
 * @param env where the proxy variables are looked up: `https_proxy`, `http_proxy`, `no_proxy` in either case
 */
export function createUndiciTransport(origin: URL, env: NodeJS.ProcessEnv = process.env): Transport {
  let dispatcher: Dispatcher | undefined
  return {
    send(request) {
      dispatcher ??= createDispatcher(origin, env)
      return new Exchange(request).run(dispatcher)
    },
    async close() {
      await dispatcher?.destroy()
    },
  }
}

function createDispatcher(origin: URL, env: NodeJS.ProcessEnv): Dispatcher {
  // The budget of the call bounds headers and body; undici's own five minutes would only hide it.
  const options = { headersTimeout: 0, bodyTimeout: 0 }
  const connect = { timeout: CONNECT_TIMEOUT_MS }
  const proxy = readProxy(origin, env)?.url
  return proxy === undefined
    ? new Pool(origin.origin, { ...options, connect })
    : new ProxyAgent({ ...options, uri: proxy, requestTls: connect, proxyTls: connect })
}

/** One request on its way, and what has come back of its reply so far. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #request: WireRequest
  readonly #reply: Promise<WireReply>
  #resolve: (reply: WireReply) => void = () => undefined
  #reject: (error: WireError) => void = () => undefined
  readonly #body: ReplyBody
  #controller: Dispatcher.DispatchController | undefined
  #isSent = false
  #status = 0
  #headers: WireReply['headers'] = {}

  constructor(request: WireRequest) {
    this.#request = request
    this.#body = new ReplyBody(request)
    this.#reply = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  async run(dispatcher: Dispatcher): Promise<WireReply> {
    const { method, url, headers, body = null, signal } = this.#request
    const abort = () => this.#fail(signal.reason)
    if (signal.aborted) abort()
    else {
      signal.addEventListener('abort', abort)
      const target = { origin: url.origin, path: url.pathname + url.search, method: method as Dispatcher.HttpMethod }
      dispatcher.dispatch({ ...target, headers, body }, this)
    }
    try {
      return await this.#reply
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }

  /** Called once a connection has been made and right before the request is written to it. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#request.signal.aborted) controller.abort(this.#request.signal.reason)
    else this.#isSent = true
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: WireReply['headers']): void {
    this.#status = status
    this.#headers = headers
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    try {
      this.#body.add(chunk)
    } catch (error) {
      this.#fail(error)
    }
  }

  onResponseEnd(): void {
    this.#resolve({ status: this.#status, headers: this.#headers, body: this.#body.toBuffer() })
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    const refusal = /^Proxy response \((4\d\d)\)/.exec(error.message)?.[1]
    this.#fail(refusal === undefined || ['408', '429'].includes(refusal) ? error : toRefusal(refusal, error))
  }

  #fail(cause: unknown): void {
    this.#reject(new WireError(this.#isSent, cause))
    this.#controller?.abort(cause instanceof Error ? cause : new Error(String(cause)))
  }
}

/** The proxy itself answered the CONNECT, and means it: trying again gives the same. */
function toRefusal(status: string, cause: Error): Error {
  const reason = status === '407' ? ', because it wants a user name and a password that are right' : ''
  return new ExchangeError(PROXY_REFUSED, `the proxy answered ${status}${reason}`, { cause })
}
