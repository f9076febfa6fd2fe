/**
 * Runs a task of the user: whether it is running, and why it failed. A second click meanwhile does nothing. The button shows this by
 * `aria-disabled`: a disabled button loses the focus, and keyboard users would lose their place.
 */
import { useRef, useState } from 'preact/hooks'

export function useAttempt() {
  const isUnderWay = useRef(false)
  const [state, setState] = useState<{ error: unknown; isBusy: boolean }>({ error: undefined, isBusy: false })
  /** Never rejects: a failure is in `error` until the next attempt. */
  const attempt = async (task: () => Promise<void>) => {
    if (isUnderWay.current) return
    isUnderWay.current = true
    setState({ error: undefined, isBusy: true })
    let error: unknown
    try {
      await task()
    } catch (failure) {
      error = failure
    }
    isUnderWay.current = false
    setState({ error, isBusy: false })
  }
  return { ...state, attempt }
}
