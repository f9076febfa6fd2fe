/**
 * Ends the process cleanly: on SIGINT, SIGTERM and SIGHUP, and when the npm or the supervisor that started it is gone.
 * Deliberately not here: what has to be closed.
 */
import type { Log } from '../log.ts'

/** A second signal later than this ends the process at once; npm sends the same signal twice. */
const SECOND_SIGNAL_MS_MIN = 1_000
/** How long the process waits before it exits: exiting right after the engine was closed has been seen to crash. */
const DRAIN_MS_MAX = 1_000
/** How often the process checks whether npm is still there. */
const PARENT_CHECK_MS = 250
/** A person who starts a service in the background and closes the terminal did not mean to end it; Node undoes what nohup does. */
const TERMINAL_GONE =
  'the terminal that started the service was closed (SIGHUP), and so the service ends; start it with setsid to let it outlive the terminal (nohup has no effect on Node)'

/** @param close called once, with the signal if there was one; if it fails, its reason is printed and the exit code is 1 */
export function closeOnSignal(close: (signal?: NodeJS.Signals) => Promise<void>, log: Log): void {
  let closingSinceMs: number | undefined
  const end = async (signal?: NodeJS.Signals) => {
    if (closingSinceMs !== undefined) {
      if (performance.now() - closingSinceMs > SECOND_SIGNAL_MS_MIN) process.kill(process.pid, 'SIGKILL')
      return
    }
    closingSinceMs = performance.now()
    await close(signal).catch((error: unknown) => {
      console.error(`error: ${error instanceof Error ? error.message : error}`)
      process.exitCode = 1
    })
    setTimeout(() => process.exit(), DRAIN_MS_MAX).unref()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end(signal))
  process.on('SIGHUP', () => {
    log.warn({ event: 'warning', message: TERMINAL_GONE })
    void end()
  })
  // npm (`npx`, `npm run` and the like) starts a shell that starts us, and passes its signals to that shell, which ends without passing
  // them on. So without this, a SIGTERM to npm would leave the service running.
  if (process.env.npm_lifecycle_event !== undefined) onParentGone(() => void end())
  // A supervisor that was killed cannot start the service again, and its successor needs the data.
  process.on('disconnect', () => void end())
  process.channel?.unref()
}

function onParentGone(act: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    act()
  }, PARENT_CHECK_MS).unref()
}
