/**
 * One attempt of a query, as the queues want it: what was stopped runs again as they say, and what had too little memory in a way that
 * needs less.
 */

import { engineCode } from '../engine/engine-failures.ts'
import { type Attempt, RunAgain } from './query-gates.ts'

const MEMORY_LIMIT_EXCEEDED = '241'

/** @throws RunAgain; what `read` rejects with */
export async function attemptRead<T>({ signal, mode }: Attempt, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (mode !== 'spilling' && engineCode(error) === MEMORY_LIMIT_EXCEEDED) throw new RunAgain('spilling', { cause: error })
    throw error
  }
}
