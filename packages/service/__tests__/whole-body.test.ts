/**
 * Bodies to their end: in pieces, and held in memory. Deliberately not here: how the service answers them, which uploads.test.ts tries.
 */
import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { InflationLimit } from '@deployment-annotations/event-store/scan/inflation-limit'
import { describe, expect, test } from '@jest/globals'
import { inflate, WholeBodies } from '../src/http/content-encoding.ts'

const CUT_SHORT = { code: 'malformed', message: 'the body ended before it was complete; nothing was stored' }

async function readAll(body: Readable): Promise<Buffer[]> {
  const chunks: Buffer[] = []
  for await (const chunk of inflate(body, undefined, new InflationLimit())) chunks.push(chunk)
  return chunks
}

/** A body of which nothing comes by itself. */
const open = () => new Readable({ read() {} })

test('all of its pieces are there, in their order, also those that came before anybody read', async () => {
  const body = open()
  body.push('[{"a":')
  await turn()
  const whole = readAll(body)
  await turn()
  body.push('1}]')
  body.push(null)
  expect(Buffer.concat(await whole).toString()).toBe('[{"a":1}]')
})

test('an empty one has none', async () => {
  const body = open()
  body.push(null)
  expect(await readAll(body)).toEqual([])
})

test('whose sender goes away before its end is refused', async () => {
  const body = open()
  const whole = readAll(body)
  body.push('[{"a":')
  await turn()
  body.destroy()
  await expect(whole).rejects.toMatchObject(CUT_SHORT)
})

test('whose connection fails is refused in the same way', async () => {
  const body = open()
  const whole = readAll(body)
  body.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }))
  await expect(whole).rejects.toMatchObject(CUT_SHORT)
})

test('whose sender was gone before it was read is refused, and not waited for', async () => {
  const body = open()
  body.destroy()
  await turn()
  await expect(readAll(body)).rejects.toMatchObject(CUT_SHORT)
})

describe('bodies that are held in memory', () => {
  test('take what has arrived of them, and not what they took before', async () => {
    const [count, pieces, piece] = [20, 40, Buffer.alloc(32_768, 'x')]
    const sent = Array.from({ length: count }, open)
    const bodies = new WholeBodies(8 * 268_435_456)
    const before = process.memoryUsage().arrayBuffers
    const read = sent.map((body, i) => bodies.read({ body, headers: {} }, 10_000_000, `caller ${i}`))
    for (let i = 0; i < pieces; i++) {
      for (const body of sent) body.push(piece)
      await turn()
    }
    const taken = process.memoryUsage().arrayBuffers - before
    for (const body of sent) body.push(null)
    for (const body of await Promise.all(read)) expect(body.bytes.equals(Buffer.alloc(pieces * piece.length, 'x'))).toBe(true)
    // The last buffer of a body is as large as all before it, so the half of them may be room that is not used yet.
    expect(taken).toBeLessThan(1.8 * count * pieces * piece.length)
  })

  const MEMORY = 8 * 1_000
  const held = async (bodies: WholeBodies, caller: string, bytes: number) =>
    bodies.read({ body: Readable.from([Buffer.alloc(bytes, 'x')]), headers: {} }, 10_000, caller)

  test('are whole, however small their pieces are, and have a limit', async () => {
    const text = Array.from({ length: 500 }, (_, i) => String(i)).join(',')
    const read = (bytesMax: number) =>
      new WholeBodies().read({ body: Readable.from([...text].map((byte) => Buffer.from(byte))), headers: {} }, bytesMax, 'a')
    expect((await read(text.length)).bytes.toString()).toBe(text)
    await expect(read(text.length - 1)).rejects.toMatchObject({ code: 'too_large' })
  })

  test('take at most half of the room where they are of one caller, and all of it together', async () => {
    const bodies = new WholeBodies(MEMORY)
    const first = await held(bodies, 'a', 400)
    await expect(held(bodies, 'a', 200)).rejects.toMatchObject({ code: 'rate_limited' })
    await held(bodies, 'b', 500)
    await expect(held(bodies, 'c', 200)).rejects.toMatchObject({ code: 'overloaded' })
    first[Symbol.dispose]()
    await held(bodies, 'a', 500)
  })

  test('count what is made of them', async () => {
    const bodies = new WholeBodies(MEMORY)
    const [first, second] = [await held(bodies, 'a', 10), await held(bodies, 'a', 10)]
    first.hold(400)
    expect(() => second.hold(200)).toThrow('the share of this token is used up: 2 of its large requests')
    first[Symbol.dispose]()
    second.hold(200)
    second[Symbol.dispose]()
    const again = await held(bodies, 'a', 10)
    expect(() => again.hold(2_000)).not.toThrow()
  })

  test('are never refused where they are the only one', async () => {
    expect((await held(new WholeBodies(MEMORY), 'a', 5_000)).bytes).toHaveLength(5_000)
  })
})
