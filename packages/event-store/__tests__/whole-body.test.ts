/**
 * A small body that is read whole. Deliberately not here: bodies that are read as they come, which uploads.test.ts sends.
 */
import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { readWhole } from '../src/body/content-encoding.ts'

const CUT_SHORT = { code: 'malformed', message: 'the body ended before it was complete; nothing was stored' }

/** A body of which nothing comes by itself. */
const open = () => new Readable({ read() {} })

test('all of its pieces are there, in their order, also those that came before anybody read', async () => {
  const body = open()
  body.push('[{"a":')
  await turn()
  const whole = readWhole(body)
  await turn()
  body.push('1}]')
  body.push(null)
  expect(Buffer.concat(await whole).toString()).toBe('[{"a":1}]')
})

test('an empty one has none', async () => {
  const body = open()
  body.push(null)
  expect(await readWhole(body)).toEqual([])
})

test('whose sender goes away before its end is refused', async () => {
  const body = open()
  const whole = readWhole(body)
  body.push('[{"a":')
  await turn()
  body.destroy()
  await expect(whole).rejects.toMatchObject(CUT_SHORT)
})

test('whose connection fails is refused in the same way', async () => {
  const body = open()
  const whole = readWhole(body)
  body.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }))
  await expect(whole).rejects.toMatchObject(CUT_SHORT)
})

test('whose sender was gone before it was read is refused, and not waited for', async () => {
  const body = open()
  body.destroy()
  await turn()
  await expect(readWhole(body)).rejects.toMatchObject(CUT_SHORT)
})
