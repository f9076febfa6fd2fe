/**
 * A component whose code is loaded when it is first shown, so that the page does not start with what few people open. While it is
 * loading it says so, and so it does when it could not be loaded: a service that was upgraded meanwhile has it under another name.
 */
import type { ComponentType, FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'

export interface Later<Props> {
  View: FunctionComponent<Props>
  /** Begins to load it: it will probably be opened. */
  prefetch: () => void
}

/** @param load imports the module, and picks the component; it is called again after it has failed */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): Later<Props> {
  let Loaded: ComponentType<Props> | undefined
  let loading: Promise<void> | undefined
  const start = () => {
    loading ??= load().then(
      (component) => {
        Loaded = component
      },
      (error: unknown) => {
        loading = undefined
        throw error
      },
    )
    return loading
  }
  function View(props: Props) {
    const state = useStart(Loaded !== undefined, start)
    if (Loaded) return <Loaded {...props} />
    return state === 'failed' ? <NotLoaded /> : <p class="hint loading">Loading…</p>
  }
  // Whether it was of use is seen when it is opened.
  return { View, prefetch: () => void start().catch(() => undefined) }
}

type State = 'loading' | 'loaded' | 'failed'

function useStart(isThere: boolean, start: () => Promise<void>): State {
  const [state, setState] = useState<State>(isThere ? 'loaded' : 'loading')
  useEffect(() => {
    if (isThere) return
    let isWanted = true
    start().then(
      () => isWanted && setState('loaded'),
      () => isWanted && setState('failed'),
    )
    return () => {
      isWanted = false
    }
  }, [])
  return state
}

/** Loading the page anew is what helps: browsers may remember that a script was not there. */
function NotLoaded() {
  return (
    <div class="failure" role="alert">
      <p>
        This part of the page could not be loaded. The service may have been upgraded since you opened the page, or be away:
        reload the page.
      </p>
      <button type="button" onClick={() => location.reload()}>
        Reload
      </button>
    </div>
  )
}
