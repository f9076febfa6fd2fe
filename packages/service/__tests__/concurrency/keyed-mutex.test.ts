import { expect, test } from '@jest/globals'
import { KeyedMutex } from '../../src/concurrency/keyed-mutex.ts'
import { Tasks, turn } from './tasks.ts'

test('tasks of one key run one after the other in order of arrival, and others beside them', async () => {
  const tasks = new Tasks()
  const mutex = new KeyedMutex()
  const all = Promise.all(
    [
      ['k', 'a'],
      ['k', 'b'],
      ['other', 'c'],
      ['k', 'd'],
    ].map(([key = '', name = '']) => mutex.run(key, tasks.task(name))),
  )
  await turn()
  expect(tasks.started).toEqual(['a', 'c'])
  await tasks.end('a')
  expect(tasks.started).toEqual(['a', 'c', 'b'])
  await tasks.end('b')
  expect(tasks.started).toEqual(['a', 'c', 'b', 'd'])
  await tasks.end('c')
  await tasks.end('d')
  expect(await all).toEqual(['a', 'b', 'c', 'd'])
})

test('a task that fails tells its own caller, and the next one runs', async () => {
  const mutex = new KeyedMutex()
  const failing = mutex.run('k', () => Promise.reject(new Error('no')))
  const next = mutex.run('k', async () => 'next')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('next')
})

test('a lock is held until it is disposed of', async () => {
  const mutex = new KeyedMutex()
  const tasks = new Tasks()
  const lock = await mutex.acquire('k')
  const waiting = mutex.run('k', tasks.task('a'))
  await turn()
  expect(tasks.started).toEqual([])
  lock[Symbol.dispose]()
  await turn()
  expect(tasks.started).toEqual(['a'])
  await tasks.end('a')
  await waiting
})
