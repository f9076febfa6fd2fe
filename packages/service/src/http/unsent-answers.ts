/**
 * One bound over the answers that wait for their readers, of all connections together, and of each caller. A socket with a megabyte that
 * nobody reads does no harm, and five thousand take all memory. Beyond the bound, those of which nothing was taken for longest are cut
 * off; where something was taken of all a moment ago, the next answer is refused.
 * Answers of queries wait on the disk, with a bound of their own; of them only what is on its way counts here.
 */
import { type HeldBound, HeldBytes } from '@deployment-annotations/runtime/concurrency/held-bytes'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { callerIdOf } from './auth.ts'

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

/** An answer as it was measured last. */
interface Measured {
  readonly answer: Answer
  readonly caller: string
  bytes: number
  taken: number
  /** When something was taken last. */
  sinceMs: number
}

export class UnsentAnswers {
  readonly #onCut: (count: number) => void
  /** Those of which nothing was taken for longest come first. */
  readonly held: HeldBytes<Measured>
  #measuredMs = Number.NEGATIVE_INFINITY

  /** @param onCut called with the number of answers that were cut off */
  constructor(bound: HeldBound, onCut: (count: number) => void) {
    this.held = new HeldBytes(bound)
    this.#onCut = onCut
  }

  /**
   * Makes room for so many bytes of an answer. One that is larger than the bound has room where nothing else waits.
   * @throws ServiceError `rate_limited` where the caller's other answers take its share, `overloaded` where all take all
   */
  requireRoom(caller: string, bytes = 0, nowMs = performance.now()): void {
    if (nowMs - this.#measuredMs >= MEASURED_MS) this.#measure(nowMs)
    this.held.requireRoom({ caller, bytes }, 0, (others, lacking) => this.#cutStalled(others, lacking, nowMs))
  }

  /** Counts an answer until what is returned is called. @throws as {@link requireRoom} */
  hold(answer: Answer, nowMs = performance.now()): () => void {
    const { caller } = answer
    const one = { answer, caller, bytes: answer.measure(), taken: answer.taken(), sinceMs: nowMs }
    this.requireRoom(caller, one.bytes, nowMs)
    this.held.add(one)
    return () => this.held.delete(one)
  }

  #measure(nowMs: number): void {
    this.#measuredMs = nowMs
    for (const one of [...this.held]) {
      one.bytes = one.answer.measure()
      const taken = one.answer.taken()
      if (taken === one.taken) continue
      Object.assign(one, { taken, sinceMs: nowMs })
      this.held.delete(one)
      this.held.add(one)
    }
  }

  /** Cuts off answers, the longest stalled ones first, until so many bytes are free. @returns how many were freed */
  #cutStalled(held: readonly Measured[], bytes: number, nowMs: number): number {
    let [cut, freed] = [0, 0]
    for (const one of held) {
      if (freed >= bytes || nowMs - one.sinceMs < STALLED_MS) break
      if (one.bytes === 0) continue
      freed += one.bytes
      cut++
      this.held.delete(one)
      one.answer.cut()
    }
    if (cut > 0) this.#onCut(cut)
    return freed
  }
}

/** Must be called after authentication was added, and after every hook that changes what is sent. */
export function boundUnsentAnswers(app: FastifyInstance, unsent: UnsentAnswers): void {
  app.addHook('onRequest', async (request) => {
    // Before anything is done for a caller whose answer would have no room.
    if (request.token && unsent.held.size > 0) unsent.requireRoom(callerIdOf(request))
  })
  app.addHook('onSend', async (request, reply, payload: unknown) => {
    const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload)
    if (!payload || (isWhole && payload.length < COUNTED_BYTES_MIN)) return
    const { socket } = request.raw
    const answer = {
      caller: callerIdOf(request),
      // Whole, until the last of it is taken.
      measure: isWhole ? () => payload.length : () => bytesOnTheWay(payload, reply),
      taken: () => socket.bytesWritten - socket.writableLength,
      cut: () => socket.destroy(),
    }
    reply.raw.once('close', unsent.hold(answer))
  })
}

/** @returns how many bytes of a stream that is sent are in memory */
function bytesOnTheWay({ readableLength = 0 }: { readableLength?: number }, reply: FastifyReply): number {
  const { raw } = reply
  const compressor = reply.hasHeader('content-encoding') ? COMPRESSOR_BYTES : 0
  return readableLength + raw.writableLength + (raw.socket?.writableLength ?? 0) + compressor
}
