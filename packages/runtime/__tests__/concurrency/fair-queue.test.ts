import { expect, test } from '@jest/globals'
import { FairQueue } from '../../src/concurrency/fair-queue.ts'
import { queueOf, turn } from './tasks.ts'

interface Named {
  caller: string
  name: string
  sinceMs: number
  isPlaceholder?: boolean
}

/** Jobs named `a1`, `a2`, `b1`: the letter is the caller. */
function wait(queue: FairQueue<Named>, ...names: string[]): Named[] {
  return names.map((name) => {
    const job = { caller: name.slice(0, 1), name, sinceMs: 0 }
    queue.wait(job)
    return job
  })
}

/** Starts whoever may. @returns their names, in order */
function start(queue: FairQueue<Named>): string[] {
  const names: string[] = []
  for (let job = queue.next(); job; job = queue.next()) {
    queue.start(job)
    names.push(job.name)
  }
  return names
}

test('a caller alone has every slot that is not kept back, in order of arrival', () => {
  const queue = new FairQueue<Named>(queueOf({ slots: 3, slotsPerCaller: 2 }))
  const [first] = wait(queue, 'a1', 'a2', 'a3')
  expect(start(queue)).toEqual(['a1', 'a2'])
  wait(queue, 'b1')
  expect(start(queue)).toEqual(['b1'])
  queue.leave(first as Named)
  expect(start(queue)).toEqual(['a3'])
})

test('a free slot goes to the caller that holds fewest', () => {
  const queue = new FairQueue<Named>(queueOf({ slots: 3 }))
  const [first] = wait(queue, 'a1', 'a2')
  start(queue)
  wait(queue, 'b1', 'a3')
  expect(start(queue)).toEqual(['b1'])
  queue.leave(first as Named)
  wait(queue, 'c1')
  expect(start(queue)).toEqual(['c1'])
})

test('of callers that hold as many, it goes to the one that was served longest ago, however many wait', async () => {
  const queue = new FairQueue<Named>(queueOf({ slots: 1 }))
  wait(queue, 'a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1')
  const order: string[] = []
  for (let [name] = start(queue); name; [name] = start(queue)) {
    order.push(name)
    queue.leave([...queue.running][0] as Named)
  }
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4'])
  await turn()
  expect(queue.isEmpty).toBe(true)
})

test('a caller has its share when it holds as much as the slots divided by all callers', () => {
  const queue = new FairQueue<Named>(queueOf({ slots: 4, slotsPerCaller: 3 }))
  wait(queue, 'a1', 'a2', 'a3', 'a4')
  start(queue)
  expect(queue.hasItsShare('a')).toBe(true)
  wait(queue, 'b1', 'b2')
  start(queue)
  expect([queue.hasItsShare('a'), queue.hasItsShare('b'), queue.hasItsShare('c')]).toEqual([true, false, false])
  expect([queue.load(), queue.load('b')]).toEqual([
    { running: 4, waiting: 2 },
    { running: 1, waiting: 1 },
  ])
})

test('a caller goes on with its oldest request, and knows how many come before a job', () => {
  const queue = new FairQueue<Named>(queueOf({}))
  const [, later] = wait(queue, 'a1', 'a2')
  const older = { caller: 'a', name: 'a0', sinceMs: -1 }
  queue.wait(older)
  expect(queue.ahead(older)).toBe(0)
  expect(queue.ahead(later as Named)).toBe(2)
  wait(queue, 'b1', 'b2', 'b3')
  // Each of the two callers in turn, and nobody behind all that wait.
  expect(queue.ahead(older)).toBe(1)
  expect(queue.ahead(later as Named)).toBe(5)
  expect(start(queue)).toEqual(['a0'])
})

test('one that only keeps a slot for a later one has none itself, and is not counted among those that wait to begin', () => {
  const queue = new FairQueue<Named>(queueOf({ slots: 3, slotsPerCaller: 3 }))
  queue.wait({ caller: 'a', name: 'a1', sinceMs: 0, isPlaceholder: true })
  wait(queue, 'a2', 'b1')
  expect([queue.ready, queue.load().waiting]).toEqual([2, 3])
  expect(start(queue)).toEqual(['a2', 'b1'])
  expect([queue.ready, queue.load().waiting]).toEqual([0, 1])
})
