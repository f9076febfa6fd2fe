/**
 * `--supervise` runs the service in a process of its own, and starts it again when that ends by a fault. The embedded engine is native
 * code, and a crash in it ends its process; everything that was acknowledged is on disk by then. A service that was never ready is not
 * started again, because the same fault would end it the next time.
 */
/// <reference lib="es2024.promise" />
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLog } from '../log.ts'
import { closeOnSignal } from './close-on-signal.ts'

/** The message of the service to its supervisor, over the channel between them, when it is ready. */
export interface ReadyMessage {
  /** The port that it listens on, which the system chose if the flag was 0. */
  port: number
}

/** The pause before a start after one that did not get ready, in milliseconds; it doubles up to the maximum. */
const PAUSE_MS = 250
const PAUSE_MS_MAX = 10_000

/** Resolves when the service has ended for good; the exit code is then its own. */
export async function supervise(): Promise<void> {
  const log = openLog()
  let child: ChildProcess | undefined
  let isEnding = false
  let port: number | undefined
  const { promise: over, resolve: settle } = Promise.withResolvers<void>()
  closeOnSignal(async () => {
    isEnding = true
    child?.kill('SIGTERM')
    await over
  }, log)
  for (let pauseMs = PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX)) {
    child = start(port)
    child.on('message', (message: ReadyMessage) => {
      port = message.port
      pauseMs = 0
    })
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
    if (isEnding || code === 0 || port === undefined) {
      process.exitCode = code ?? 1
      return settle()
    }
    log.error({ event: 'restart', message: 'the service ended by a fault, and is started again', exit: code ?? signal, pauseMs })
    await sleep(pauseMs)
    if (isEnding) return settle()
    pauseMs ||= PAUSE_MS / 2
  }
}

/** @param port the port of an earlier process, so that its clients find this one */
function start(port: number | undefined): ChildProcess {
  const flags = process.argv.slice(1).filter((flag) => flag !== '--supervise')
  const again = port === undefined ? [] : ['--port', String(port)]
  return spawn(process.execPath, [...process.execArgv, ...flags, ...again], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
}
