/**
 * One bound over the answers that wait for their readers, of all connections together, and of each caller. A socket with a megabyte that
 * nobody reads does no harm, and five thousand take all memory. Beyond the bound, those of which nothing was taken for longest are cut
 * off; where something was taken of all a moment ago, the next answer is refused.
 * Answers of queries wait on the disk, with a bound of their own; of them only what is on its way counts here.
 */
import { answersHeld, type HeldBound } from '@deployment-annotations/runtime/concurrency/bounds'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Shorter answers are not counted: there are no more of them than connections. */
const COUNTED_BYTES_MIN = 4_096
/** What the compressor of an answer holds that is made while it is sent. */
const COMPRESSOR_BYTES = 1_048_576
/** An answer of which nothing was taken for so long has a slow reader, or none. */
const STALLED_MS = 1_000
/** How often it is measured what waits: one pass over all answers. */
const MEASURED_MS = 50

interface Answer {
  caller: string
  /** How many bytes are in memory now. */
  measure: () => number
  /** A number that changes whenever something is taken. */
  taken: () => number
  /** Closes its connection. */
  cut: () => void
}

class Unsent {
  readonly answer: Answer
  bytes: number
  taken: number
  /** When something was taken last. */
  sinceMs: number

  constructor(answer: Answer, nowMs: number) {
    this.answer = answer
    this.bytes = answer.measure()
    this.taken = answer.taken()
    this.sinceMs = nowMs
  }
}

export class UnsentAnswers {
  readonly #bound: HeldBound
  readonly #onCut: (count: number) => void
  /** Those of which nothing was taken for longest come first. */
  readonly held = new Set<Unsent>()
  /** How many bytes wait by caller, and of all callers together as `undefined`. */
  readonly #bytes = new Map<string | undefined, number>()
  #measuredMs = Number.NEGATIVE_INFINITY

  /** @param onCut called with the number of answers that were cut off */
  constructor(bound: HeldBound, onCut: (count: number) => void) {
    this.#bound = bound
    this.#onCut = onCut
  }

  /**
   * Makes room for so many bytes of an answer. One that is larger than the bound has room where nothing else waits.
   * @throws ServiceError `rate_limited` where the caller's other answers take its share, `overloaded` where all take all
   */
  requireRoom(caller: string, bytes = 0, nowMs = performance.now()): void {
    const { bytesMax, bytesPerCallerMax } = this.#bound
    this.#measure(nowMs)
    const ofCaller = this.#makeRoom(bytesPerCallerMax - bytes, nowMs, caller)
    if (ofCaller > 0) throw answersHeld('rate_limited', ofCaller)
    const ofAll = this.#makeRoom(bytesMax - bytes, nowMs)
    if (ofAll > 0) throw answersHeld('overloaded', ofAll)
  }

  /** Counts an answer until what is returned is called. @throws as {@link requireRoom} */
  hold(answer: Answer, nowMs = performance.now()): () => void {
    const unsent = new Unsent(answer, nowMs)
    this.requireRoom(answer.caller, unsent.bytes, nowMs)
    this.held.add(unsent)
    this.#add(unsent, unsent.bytes)
    return () => this.#forget(unsent)
  }

  #forget(unsent: Unsent): void {
    if (this.held.delete(unsent)) this.#add(unsent, -unsent.bytes)
  }

  #add({ answer: { caller } }: Unsent, bytes: number): void {
    for (const key of [caller, undefined]) {
      const sum = (this.#bytes.get(key) ?? 0) + bytes
      if (sum === 0) this.#bytes.delete(key)
      else this.#bytes.set(key, sum)
    }
  }

  #measure(nowMs: number): void {
    if (nowMs - this.#measuredMs < MEASURED_MS) return
    this.#measuredMs = nowMs
    for (const unsent of [...this.held]) {
      const [bytes, taken] = [unsent.answer.measure(), unsent.answer.taken()]
      this.#add(unsent, bytes - unsent.bytes)
      unsent.bytes = bytes
      if (taken === unsent.taken) continue
      unsent.taken = taken
      unsent.sinceMs = nowMs
      this.held.delete(unsent)
      this.held.add(unsent)
    }
  }

  /** Cuts off answers until no more than so many bytes wait. @returns how many wait where these are too many */
  #makeRoom(bytesMax: number, nowMs: number, caller?: string): number {
    const bytes = () => this.#bytes.get(caller) ?? 0
    if (bytes() <= bytesMax) return 0
    let cut = 0
    for (const unsent of this.held) {
      if (bytes() <= bytesMax || nowMs - unsent.sinceMs < STALLED_MS) break
      if (unsent.bytes === 0 || (caller !== undefined && unsent.answer.caller !== caller)) continue
      this.#forget(unsent)
      cut++
      unsent.answer.cut()
    }
    if (cut > 0) this.#onCut(cut)
    return bytes() > bytesMax ? bytes() : 0
  }
}

/** Must be called after authentication was added, and after every hook that changes what is sent. */
export function boundUnsentAnswers(app: FastifyInstance, unsent: UnsentAnswers): void {
  app.addHook('onRequest', async (request) => {
    // Before anything is done for a caller whose answer would have no room.
    if (request.token && unsent.held.size > 0) unsent.requireRoom(callerOf(request))
  })
  app.addHook('onSend', async (request, reply, payload: unknown) => {
    if (!payload || ((typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length < COUNTED_BYTES_MIN)) return
    const measure = measureOf(payload, reply)
    const { socket } = request.raw
    const answer = {
      caller: callerOf(request),
      measure,
      taken: () => socket.bytesWritten - socket.writableLength,
      cut: () => socket.destroy(),
    }
    reply.raw.once('close', unsent.hold(answer))
  })
}

function callerOf({ token, ip }: FastifyRequest): string {
  return token?.id ?? ip
}

/** @returns a function that says how many bytes of what is sent are in memory */
function measureOf(payload: unknown, reply: FastifyReply): () => number {
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) {
    // All of it until the last of it is taken.
    const { length } = payload
    return () => length
  }
  const stream = payload as { readableLength?: number }
  const compressor = reply.hasHeader('content-encoding') ? COMPRESSOR_BYTES : 0
  const { socket } = reply.raw
  return () => (stream.readableLength ?? 0) + reply.raw.writableLength + (socket?.writableLength ?? 0) + compressor
}
