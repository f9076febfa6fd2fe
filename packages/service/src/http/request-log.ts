/**
 * The request log: one line per request, written when its answer is sent or its caller has gone. And lines that may come by the
 * thousand, because as many connections do: they are counted, and written once a second.
 */
import { describeError, type Log, type LogLine } from '@deployment-annotations/runtime/log'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** An error that came up after the status had been sent. */
    fault?: unknown
    /** The id of what the request created. */
    createdId?: string
  }
}

/** The status in the log when the caller closed the connection before the answer was through. */
const CALLER_GONE = 499
/** The status in the log when the service failed while its answer was under way, whatever status had been sent. */
const FAILED_MIDWAY = 500
const PATH_LENGTH_MAX = 500

export function addRequestLog(app: FastifyInstance, log: Log): void {
  app.addHook('preSerialization', async (request, reply, payload) => {
    const { id } = (reply.statusCode === 201 ? payload : {}) as { id?: unknown }
    if (typeof id === 'string') request.createdId = id
    return payload
  })
  app.addHook('onRequest', async (request, reply) => {
    const startedMs = performance.now()
    // Eleven parts wait for the end of an answer that is streamed; from ten on Node.js warns of a leak.
    reply.raw.setMaxListeners(20)
    reply.raw.once('close', () => {
      if (request.fault) log.error({ event: 'error', traceId: request.id, cause: describeError(request.fault) })
      const status = reply.raw.writableFinished ? reply.raw.statusCode : request.fault ? FAILED_MIDWAY : CALLER_GONE
      log[status >= 500 ? 'error' : 'info']({
        event: 'request',
        method: request.method,
        path: pathOf(request.url),
        status,
        durationMs: Math.round((performance.now() - startedMs) * 100) / 100,
        traceId: request.id,
        address: request.ip,
        ...(request.createdId !== undefined && { createdId: request.createdId }),
        ...(request.token && { tokenId: request.token.id, tokenName: request.token.name }),
      })
    })
  })
}

/** @returns the path without its query, which may hold what is not meant for the log */
export function pathOf(url: string): string {
  const query = url.indexOf('?')
  return (query < 0 ? url : url.slice(0, query)).slice(0, PATH_LENGTH_MAX)
}

const INTERVAL_MS = 1_000

/** Writes the first line as it is, and those of each second after it as one line with their `count`. */
export class RateLimitedLog {
  readonly #log: Pick<Log, 'info'>
  #timer: NodeJS.Timeout | undefined
  /** The lines that are not written yet, and the last of them. */
  #count = 0
  #last: LogLine = { event: '' }

  constructor(log: Pick<Log, 'info'>) {
    this.#log = log
  }

  /** @param details members that are only written with a line of its own, such as a trace id */
  info(entry: LogLine, details: object): void {
    if (this.#timer) {
      this.#count++
      this.#last = entry
      return
    }
    this.#log.info({ ...entry, ...details })
    this.#startInterval()
  }

  /** Writes the lines that are not written yet. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#count > 0) this.#log.info({ ...this.#last, count: this.#count })
    this.#count = 0
  }

  #startInterval(): void {
    this.#timer = setTimeout(() => {
      const isBusy = this.#count > 0
      this.flush()
      if (isBusy) this.#startInterval()
    }, INTERVAL_MS).unref()
  }
}
