/** Other processes of the machine. */

/** @returns whether there is such a process; also one of another user, which may not be signaled */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
