/** Runs a command with this process's input and output, and passes on signals. */
import { constants } from 'node:os'
import spawn from 'cross-spawn'

/** The exit codes that shells use for an unknown command and for one that cannot be run. */
const NOT_FOUND = 127
const NOT_EXECUTABLE = 126
const SIGNAL_BASE = 128

const PASSED_ON: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2']
/** Signals from the keyboard. The terminal sends them to the command too. */
const OF_THE_TERMINAL: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT']

export interface Ended {
  /** 128 plus the number of the signal if a signal ended it. */
  exitCode: number
  /** The signal that ended it; otherwise null. */
  signal: NodeJS.Signals | null
  /** Whether this process received a signal to end. */
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
  // The handlers are set before the command starts, because a signal in between would end this process alone.
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
