/**
 * The crowd of `bench/crowd.ts`, in a process of its own: what it takes to send a thousand requests at once is not the service's time. It goes
 * before the service where it may, so that an answer is seen when it comes. Its parent gets the answers.
 */
import { setPriority } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { type Crowd, runCrowd } from './crowd.ts'

export interface CrowdSeen extends Crowd {
  /** How long this process was too busy to look at what came, at most. */
  ownMs: number
  /** Whether it went before the service. */
  isFirst: boolean
}

const PRIORITY = -20

const [url = '', token = '', clients, requests] = process.argv.slice(2)
const isFirst = goFirst()
const delay = monitorEventLoopDelay({ resolution: 5 })
delay.enable()
const crowd = await runCrowd({ url, token }, Number(clients), Number(requests))
process.send?.({ ...crowd, ownMs: delay.max / 1e6, isFirst } satisfies CrowdSeen, () => process.disconnect())

function goFirst(): boolean {
  try {
    setPriority(PRIORITY)
    return true
  } catch {
    // Only the administrator may.
    return false
  }
}
