/** Other processes of the machine. */

/** @returns whether the process exists; also true for one of another user, to which no signal may be sent */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
