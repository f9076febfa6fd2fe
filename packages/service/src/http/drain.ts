/**
 * An error can be found long before the body's end; what is left of the body is read and dropped for a moment, because a client
 * that is still sending would otherwise see a reset connection and not the answer.
 */
import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** How long, and how much of, a body is dropped before its sender is cut off. */
const DRAIN_MS_MAX = 1_000
const DRAIN_BYTES_MAX = 67_108_864

/** @param answer reads the body of the request, which is a stream */
export async function answerOrDrain<T>(request: FastifyRequest, reply: FastifyReply, answer: () => Promise<T>): Promise<T> {
  try {
    return await answer()
  } catch (error) {
    const body = request.body as Readable | undefined
    if (body && !(await drain(body))) reply.header('connection', 'close')
    throw error
  }
}

/** @returns whether the body came to its end */
function drain(body: Readable): Promise<boolean> {
  if (body.readableEnded || body.destroyed) return Promise.resolve(body.readableEnded)
  return new Promise((resolve) => {
    let bytes = 0
    const drop = (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > DRAIN_BYTES_MAX) settle(false)
    }
    const settle = (isComplete: boolean) => {
      clearTimeout(timer)
      body.off('data', drop).pause()
      resolve(isComplete)
    }
    const timer = setTimeout(() => settle(false), DRAIN_MS_MAX)
    body.on('data', drop)
    body
      .once('end', () => settle(true))
      .once('error', () => settle(false))
      .once('close', () => settle(false))
    body.resume()
  })
}
