/**
 * Ends the service cleanly: on SIGINT, SIGTERM and SIGHUP, and when the npm that started it is gone. What closing means is the
 * caller's.
 */
import type { Log } from '@deployment-annotations/runtime/log'

/** A second signal later than this ends the process at once; npm sends the same signal twice. */
const SECOND_SIGNAL_MS_MIN = 1_000
/** Exiting right after the engine was closed has been seen to crash; what is left to do needs less than this. */
const DRAIN_MS_MAX = 1_000
/** How soon the end of npm is noticed. */
const PARENT_LOOK_MS = 250
/** Who starts a service in the background and goes away did not mean to end it. Node undoes what nohup does. */
const TERMINAL_GONE =
  'the terminal that started the service was closed (SIGHUP), and so the service ends; start it with setsid to let it outlive the terminal (nohup has no effect on Node)'

/** @param close runs once; when it fails, its reason is printed and the exit code is 1 */
export function closeOnSignal(close: () => Promise<void>, log: Log): void {
  let closingSinceMs: number | undefined
  const end = async () => {
    if (closingSinceMs !== undefined) {
      if (performance.now() - closingSinceMs > SECOND_SIGNAL_MS_MIN) process.kill(process.pid, 'SIGKILL')
      return
    }
    closingSinceMs = performance.now()
    await close().catch((error: unknown) => {
      console.error(`error: ${error instanceof Error ? error.message : error}`)
      process.exitCode = 1
    })
    setTimeout(() => process.exit(), DRAIN_MS_MAX).unref()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end())
  process.on('SIGHUP', () => {
    log.warn({ event: 'warning', message: TERMINAL_GONE })
    void end()
  })
  if (isStartedByNpm()) onParentGone(() => void end())
  // A supervisor that was killed can start nobody again, and its successor needs the data.
  process.on('disconnect', () => void end())
  process.channel?.unref()
}

/**
 * npm (`npx`, `npm run`, and its like) starts a shell that starts us, and sends the signals that it gets to that shell, which
 * ends without passing them on. So without this, a SIGTERM to npm would leave the service running.
 */
function isStartedByNpm(): boolean {
  return process.env.npm_lifecycle_event !== undefined
}

function onParentGone(act: () => void): void {
  const parent = process.ppid
  const look = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(look)
    act()
  }, PARENT_LOOK_MS).unref()
}
