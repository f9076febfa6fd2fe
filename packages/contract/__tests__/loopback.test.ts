/** Which hosts are this machine. */
import { expect, test } from '@jest/globals'
import { isLoopback } from '../src/loopback.ts'

test('loopback is localhost and the addresses that lead to this machine', () => {
  const own = ['localhost', '127.0.0.1', '127.255.255.254', '::1', '[::1]']
  const others = ['127.evil.com', '127.0.0.1.evil.com', '127.0.0.256', '127.1', 'a.localhost', '128.0.0.1', '0.0.0.0', '::', '']
  expect([...own, ...others].filter(isLoopback)).toEqual(own)
})
