import { expect, test } from '@jest/globals'
import { hashOf, InFlight } from '../../src/concurrency/in-flight.ts'
import { Tasks, turn } from './tasks.ts'

const request = (key: string, payload = 'same') => ({ shown: `shown ${key}`, key, payload })
const nothingEarlier = async () => undefined
const open = () => new InFlight<string>()

test('a repeat of a request under way is answered alike, and nothing is made twice', async () => {
  const tasks = new Tasks()
  const inFlight = open()
  const repeats = ['first', 'second', 'third'].map((name) =>
    inFlight.once(request('k'), { find: nothingEarlier, make: tasks.task(name) }),
  )
  await turn()
  await tasks.end('first')
  expect(await Promise.all(repeats)).toEqual(['first', 'first', 'first'])
  expect(tasks.started).toEqual(['first'])
})

test('other keys are not held up', async () => {
  const tasks = new Tasks()
  const inFlight = open()
  const both = ['a', 'b'].map((name) => inFlight.once(request(name), { find: nothingEarlier, make: tasks.task(name) }))
  await turn()
  expect(tasks.started).toEqual(['a', 'b'])
  for (const name of ['a', 'b']) await tasks.end(name)
  await Promise.all(both)
})

test('where the first one fails, one of the repeats tries', async () => {
  const tasks = new Tasks()
  const inFlight = open()
  const [first, ...repeats] = ['first', 'second', 'third'].map((name) =>
    inFlight.once(request('k'), { find: nothingEarlier, make: tasks.task(name) }),
  )
  const failed = expect(first).rejects.toThrow('no')
  await turn()
  await tasks.end('first', new Error('no'))
  await failed
  expect(tasks.started).toEqual(['first', 'second'])
  await tasks.end('second')
  expect(await Promise.all(repeats)).toEqual(['second', 'second'])
})

test('what is remembered of an earlier request is the answer', async () => {
  const find = async () => ({ payload: 'same', result: 'earlier' })
  const make = () => Promise.reject(new Error('must not be made'))
  expect(await open().once(request('k'), { find, make })).toBe('earlier')
})

test('a key that was used for something else is refused, under way or remembered', async () => {
  const refusal = {
    code: 'invalid',
    message: 'Idempotency-Key "shown k" was used for another body; use a new key',
  }
  const tasks = new Tasks()
  const inFlight = open()
  const first = inFlight.once(request('k'), { find: nothingEarlier, make: tasks.task('first') })
  const make = async () => 'other'
  await expect(inFlight.once(request('k', 'other'), { find: nothingEarlier, make })).rejects.toMatchObject(refusal)
  await turn()
  await tasks.end('first')
  await first
  const find = async () => ({ payload: 'same', result: 'first' })
  await expect(inFlight.once(request('k', 'other'), { find, make })).rejects.toMatchObject(refusal)
})

test('a repeat is told to come again where the first one takes longer than 2 s', async () => {
  const tasks = new Tasks()
  const inFlight = open()
  const first = inFlight.once(request('k'), { find: nothingEarlier, make: tasks.task('first') })
  await expect(inFlight.once(request('k'), { find: nothingEarlier, make: tasks.task('second') })).rejects.toMatchObject({
    code: 'in_flight',
    message: 'the first request with Idempotency-Key "shown k" is still under way',
    headers: { 'retry-after': '1' },
  })
  await tasks.end('first')
  expect(await first).toBe('first')
})

test('different parts have different hashes, however they are cut', () => {
  expect(new Set([hashOf(['a', 'b']), hashOf(['ab']), hashOf(['a', 'b', null]), hashOf(['a,b'])]).size).toBe(4)
  expect(hashOf(['a', undefined])).toBe(hashOf(['a', null]))
})
