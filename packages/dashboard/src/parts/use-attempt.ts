/**
 * Something that the user asked for: whether it is under way, and why it failed. A second click while it is does nothing.
 * Its button says so by `aria-disabled`: a disabled button loses the focus, and keyboard users would lose their place.
 */
import { useRef, useState } from 'preact/hooks'

interface Attempt {
  error: unknown
  isBusy: boolean
  /** Never rejects: what goes wrong is `error`, until the next attempt. */
  attempt: (task: () => Promise<void>) => Promise<void>
}

export function useAttempt(): Attempt {
  const isUnderWay = useRef(false)
  const [state, setState] = useState<{ error: unknown; isBusy: boolean }>({ error: undefined, isBusy: false })
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
