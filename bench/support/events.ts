/** The events that the benchmarks send: a web server's log. Deliberately not here: sending them. */

const METHODS = ['GET', 'GET', 'GET', 'POST', 'PUT', 'DELETE']
const STATUSES = [200, 200, 200, 200, 200, 201, 204, 304, 400, 404, 404, 500, 503]
const REGIONS = ['eu-west-1', 'eu-north-1', 'us-east-1', 'us-west-2']
const RESOURCES = ['users', 'orders', 'items', 'carts']
const WORDS =
  'request upstream completed cache timeout retry connection handled without any incident database slow index user session token expired page asset served payment order checkout'.split(
    ' ',
  )

/**
 * Event `i` of a web server's log: 13 fields, about 350 bytes, and little that repeats. The same for the same `i`.
 * @param now milliseconds, when the first is
 * @param stepMs between one event and the next, on average
 */
export function makeEvent(i: number, now: number, stepMs = 40): string {
  let state = Math.imul(i + 1, 0x9e3779b1)
  const random = (below: number) => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5
    return ((state ^ (state >>> 13)) >>> 0) % below
  }
  const pick = <T>(list: readonly T[]) => list[random(list.length)] as T
  const status = pick(STATUSES)
  return JSON.stringify({
    _time: new Date(now + i * stepMs + random(stepMs)).toISOString(),
    level: status >= 500 ? 'error' : status >= 400 ? 'warn' : 'info',
    status,
    duration_ms: random(100_000) / 100,
    method: pick(METHODS),
    path: `/api/v1/${pick(RESOURCES)}/${random(5_000)}`,
    region: pick(REGIONS),
    host: `web-${random(40)}`,
    client_ip: `10.${random(256)}.${random(256)}.${random(256)}`,
    user_id: random(50_000),
    bytes: random(100_000),
    trace_id: (random(2 ** 31) * 2 ** 20 + random(2 ** 20)).toString(16).padStart(16, '0'),
    // Most messages of real logs have an id or a number in them that no other has.
    message: `${Array.from({ length: 9 }, () => pick(WORDS)).join(' ')} id${i}`,
  })
}

/** @returns a body of so many events, a JSON array */
export function makeBody(from: number, count: number, make: (i: number) => string): Buffer {
  return Buffer.from(`[${Array.from({ length: count }, (_, i) => make(from + i)).join(',')}]`)
}
