/**
 * Runs a command in this one's place: with its input and output, and with the signals that arrive here.
 */
import { constants } from 'node:os'
import spawn from 'cross-spawn'

/** As a shell says it: there is no such command, and it cannot be run. */
const NOT_FOUND = 127
const NOT_EXECUTABLE = 126
const SIGNAL_BASE = 128

const PASSED_ON: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2']
/** What a key of the terminal sends, it sends to the command itself, too. */
const OF_THE_TERMINAL: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT']

export interface Ended {
  /** 128 and its number for a signal. */
  exitCode: number
  /** What ended it. */
  signal: NodeJS.Signals | null
  /** Whether a signal came here that asks to end. */
  wasCanceled: boolean
  /** Why it could not be started. */
  error?: NodeJS.ErrnoException
}

export function runCommand(program: string, args: readonly string[]): Promise<Ended> {
  let wasCanceled = false
  const passOn = (signal: NodeJS.Signals) => {
    wasCanceled ||= !signal.startsWith('SIGUSR')
    if (!(process.stdin.isTTY && OF_THE_TERMINAL.includes(signal))) child.kill(signal)
  }
  const signals = PASSED_ON.filter((signal) => signal in constants.signals)
  // Before the command begins: a signal that comes just then would end this process alone.
  for (const signal of signals) process.on(signal, passOn)
  const child = spawn(program, args, { stdio: 'inherit' })
  return new Promise((resolve) => {
    const end = (ended: Omit<Ended, 'wasCanceled'>) => {
      for (const signal of signals) process.off(signal, passOn)
      resolve({ ...ended, wasCanceled })
    }
    child.once('error', (error: NodeJS.ErrnoException) => {
      end({ exitCode: error.code === 'ENOENT' ? NOT_FOUND : NOT_EXECUTABLE, signal: null, error })
    })
    child.once('exit', (code, signal) => {
      end({ exitCode: code ?? SIGNAL_BASE + (signal === null ? 0 : constants.signals[signal]), signal })
    })
  })
}
