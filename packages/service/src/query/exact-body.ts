/**
 * Request bodies of queries: JSON whose integers beyond 2^53 arrive as bigint. A body that is not JSON is reported to the caller.
 * Deliberately not here: what the members mean.
 */
import { parseExact } from '@deployment-annotations/contract/exact-json'
import { ServiceError } from '@deployment-annotations/runtime/errors'

/** Far beyond any query; and what is echoed in an answer can still be printed, which takes a call per level. */
const DEPTH_MAX = 1_000

/** @throws ServiceError `malformed` */
export function parseBody(bytes: Buffer): unknown {
  let body: unknown
  try {
    body = parseExact(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw notJson(cause instanceof SyntaxError ? cause.message : 'it is not valid UTF-8', cause)
  }
  if (isDeeper(body, DEPTH_MAX)) throw notJson('it is nested too deeply')
  return body
}

function notJson(reason: string, cause?: unknown): ServiceError {
  return new ServiceError('malformed', `the body is not JSON: ${reason}`, { cause })
}

/** Level by level, because a call per level is what runs out. */
function isDeeper(value: unknown, depthMax: number): boolean {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > depthMax) return true
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  }
  return false
}
