/**
 * `--supervise` runs the service in a process of its own, and starts it again when that ends by a fault. The embedded engine is native
 * code, and a crash in it ends its process; everything that was acknowledged is on disk by then. A process whose event loop hangs is ended
 * first. A service that was never ready is not started again, because the same fault would end it the next time.
 */
/// <reference lib="es2024.promise" />
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { repeat } from '../concurrency/repeat.ts'
import { type Log, openLog } from '../log.ts'
import { closeOnSignal } from './close-on-signal.ts'

/** The pause before a start after one that did not get ready, in milliseconds; it doubles up to the maximum. */
const PAUSE_MS = 250
const PAUSE_MS_MAX = 10_000
/** How often the service says that its event loop turns, and how many times in a row it may be missed before it is ended. */
const ALIVE_MS = 1_000
const MISSED_MAX = 10

/**
 * Call this when the service is ready: its supervisor, if it has one, hears that, and from then on that its event loop turns.
 * @param port that the service listens on, which the system chose if the flag was 0; it is the message of each time
 */
export function answerSupervisor(port: number): void {
  void repeat(() => process.connected && process.send?.(port), ALIVE_MS, new AbortController().signal)
}

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
    const service = start(port)
    child = service
    // Before the first message nothing is missed, because a start may take longer. What is counted is how often none was there, and not the
    // time that went by: a machine that was suspended stops both processes, and has its clock jump.
    let missed = Number.NEGATIVE_INFINITY
    const watch = setInterval(() => ++missed === MISSED_MAX && endHung(service, log), ALIVE_MS)
    service.on('message', (listened: number) => {
      port = listened
      pauseMs = missed = 0
    })
    const [code, signal] = (await once(service, 'exit')) as [number | null, NodeJS.Signals | null]
    clearInterval(watch)
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

/** The event loop does not turn, so no other signal would be seen. */
function endHung(child: ChildProcess, log: Log): void {
  log.error({ event: 'hung', message: `the service has not answered for ${(MISSED_MAX * ALIVE_MS) / 1_000} s, and is ended` })
  child.kill('SIGKILL')
}

/** @param port the port of an earlier process, so that its clients find this one */
function start(port: number | undefined): ChildProcess {
  const flags = process.argv.slice(1).filter((flag) => flag !== '--supervise')
  const again = port === undefined ? [] : ['--port', String(port)]
  return spawn(process.execPath, [...process.execArgv, ...flags, ...again], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
}
