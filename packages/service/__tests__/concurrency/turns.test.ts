import { expect, test } from '@jest/globals'
import { Turns } from '../../src/concurrency/turns.ts'

const bound = { waitingMax: 3, waitMsMax: 1_000, message: (waiting: number) => `${waiting} wait` }
const overloaded = { code: 'overloaded', headers: { 'retry-after': '1' } }

test('each has a turn of its own, in order of arrival, and others have theirs in between', async () => {
  const turns = new Turns(bound)
  const seen: string[] = []
  const task = async (name: string) => {
    await turns.take()
    seen.push(name)
  }
  const all = ['a', 'b', 'c'].map(task)
  const between = new Promise<void>((resolve) => setImmediate(() => setImmediate(() => resolve(void seen.push('other')))))
  await Promise.all([...all, between])
  expect(seen.slice(0, 1)).toEqual(['a'])
  expect(seen.at(-1)).toBe('c')
  expect(seen).toContain('other')
  await task('again')
  expect(turns.waiting).toBe(0)
})

test('who would wait for long is refused, and there is room again once the others are through', async () => {
  let nowMs = 0
  const turns = new Turns(bound, () => nowMs)
  const all = [turns.take(), turns.take()]
  nowMs = 1_000
  await expect(turns.take()).rejects.toMatchObject({ ...overloaded, message: '2 wait' })
  await Promise.all(all)
  const more = [turns.take(), turns.take(), turns.take()]
  await expect(turns.take()).rejects.toMatchObject({ ...overloaded, message: '3 wait' })
  await Promise.all(more)
  await turns.take()
})
