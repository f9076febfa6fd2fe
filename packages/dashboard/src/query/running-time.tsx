/** That a query runs, and for how long it has. */
import { useEffect, useState } from 'preact/hooks'

export function RunningTime() {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <>
      <progress class="running" aria-label="The query runs" />
      <span class="hint" role="status">
        Running…
      </span>
      {seconds > 0 && (
        <span class="hint" aria-hidden="true">
          {seconds} s
        </span>
      )}
    </>
  )
}
