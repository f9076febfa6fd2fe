/**
 * Tells systemd that the service is ready, that it ends, and at intervals that its event loop turns; nothing where systemd did not start
 * it as `Type=notify`. Node cannot write to its socket, so systemd's own command does.
 */
import { execFile } from 'node:child_process'

/** The watchdog hears of the service this many times before it would end it. */
const TIMES = 3

/** Call this when the service accepts requests. */
export function notifyReady(env: NodeJS.ProcessEnv = process.env): void {
  if (!env.NOTIFY_SOCKET) return
  notify('--ready')
  const watchdogMs = Number(env.WATCHDOG_USEC ?? 0) / 1_000
  if (watchdogMs > 0) setInterval(() => notify('WATCHDOG=1'), watchdogMs / TIMES).unref()
}

export function notifyEnding(env: NodeJS.ProcessEnv = process.env): void {
  if (env.NOTIFY_SOCKET) notify('STOPPING=1')
}

function notify(state: string): void {
  // Without the command systemd starts the service again, and its own log says why.
  execFile('systemd-notify', [state], () => undefined)
}
