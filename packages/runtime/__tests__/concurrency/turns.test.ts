import { expect, test } from '@jest/globals'
import { Turns } from '../../src/concurrency/turns.ts'

const bound = { waitingMax: 3, waitMsMax: 60_000, message: (waiting: number) => `${waiting} wait` }
const overloaded = { code: 'overloaded', headers: { 'retry-after': '1' } }

const by = (id: string, waitedMs = 0) => ({ id, sinceMs: performance.now() - waitedMs })

/** Takes turns, and notes whose turn it was. */
function noting(turns: Turns, seen: string[]): (name: string) => Promise<void> {
  return async (name) => {
    await turns.take(by(name.slice(0, 1)))
    seen.push(name)
  }
}

test('each has a turn of its own, in order of arrival, and others have theirs in between', async () => {
  const turns = new Turns(bound)
  const seen: string[] = []
  const take = noting(turns, seen)
  const all = ['a1', 'a2', 'a3'].map(take)
  const between = new Promise<void>((resolve) => setImmediate(() => setImmediate(() => resolve(void seen.push('other')))))
  await Promise.all([...all, between])
  expect(seen.slice(0, 1)).toEqual(['a1'])
  expect(seen.at(-1)).toBe('a3')
  expect(seen).toContain('other')
  await take('a4')
  expect(turns.load()).toMatchObject({ waiting: 0, begun: 4, refused: 0 })
})

test('callers have turns by turns, however many one of them waits for', async () => {
  const turns = new Turns({ ...bound, waitingMax: 10 })
  const seen: string[] = []
  await Promise.all(['a1', 'a2', 'a3', 'a4', 'b1', 'b2'].map(noting(turns, seen)))
  expect(seen).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'a4'])
})

test('one too many is refused, and there is room again once the others are through', async () => {
  const turns = new Turns(bound)
  const all = [1, 2, 3].map(() => turns.take(by('a')))
  await expect(turns.take(by('a'))).rejects.toMatchObject({ ...overloaded, message: '3 wait' })
  await Promise.all(all)
  await turns.take(by('a'))
  expect(turns.load()).toMatchObject({ begun: 4, refused: 1 })
})

test('who would wait too long, by how long the others take, is refused at once', async () => {
  const turns = new Turns({ ...bound, waitingMax: 100, waitMsMax: 60_000 })
  const hold = async (holdMs: number) => {
    await turns.take(by('a'))
    for (const from = performance.now(); performance.now() - from < holdMs; );
  }
  const all = [hold(1_000), ...Array.from({ length: 60 }, () => hold(0))]
  await all[0]
  await new Promise(setImmediate)
  // Half a minute is half of the longest wait.
  await expect(turns.take(by('a'))).rejects.toMatchObject(overloaded)
  expect(turns.load().waiting).toBeGreaterThan(30)
  await Promise.all(all)
})

test('who has waited too long before it came here is refused, too', async () => {
  const turns = new Turns({ ...bound, waitMsMax: 1_000 })
  const first = turns.take(by('a'))
  await expect(turns.take(by('a', 2_000))).rejects.toMatchObject(overloaded)
  await first
})
