/** Something that a person asked for: whether it is under way, and why it failed. */
import { useState } from 'preact/hooks'

export interface Attempt {
  error: unknown
  isBusy: boolean
  /** Never rejects: what goes wrong is `error`, until the next attempt. */
  attempt: (task: () => Promise<void>) => Promise<void>
}

export function useAttempt(): Attempt {
  const [state, setState] = useState<{ error: unknown; isBusy: boolean }>({ error: undefined, isBusy: false })
  const attempt = async (task: () => Promise<void>) => {
    setState({ error: undefined, isBusy: true })
    try {
      await task()
      setState({ error: undefined, isBusy: false })
    } catch (error) {
      setState({ error, isBusy: false })
    }
  }
  return { ...state, attempt }
}
