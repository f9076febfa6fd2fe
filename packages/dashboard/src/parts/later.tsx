/**
 * A component whose code is loaded when it is first shown, because few people open it. It says while it is loading, and when loading
 * failed: after an upgrade of the service the code has another name.
 */
import type { ComponentType, FunctionComponent } from 'preact'
import { Failure } from './failure.tsx'
import { useLoad } from './use-load.ts'

export interface Later<Props> {
  View: FunctionComponent<Props>
  /** Starts to load the component, which will probably be opened. */
  prefetch: () => void
}

/** Reloading the page helps, because browsers may remember that a script was missing. */
const NOT_LOADED = new Error(
  'This part of the page could not be loaded. The service may have been upgraded since you opened the page, or be away: reload the page.',
)

/** @param load imports the module and returns the component */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): Later<Props> {
  let Loaded: ComponentType<Props> | undefined
  let loading: Promise<void> | undefined
  const start = () => {
    loading ??= load().then((component) => {
      Loaded = component
    })
    return loading
  }
  function View(props: Props) {
    const { error } = useLoad(Loaded ? undefined : start, [])
    if (Loaded) return <Loaded {...props} />
    return error ? <Failure error={NOT_LOADED} onRetry={() => location.reload()} /> : <p class="hint loading">Loading…</p>
  }
  // An error is shown when the component is opened.
  return { View, prefetch: () => void start().catch(() => undefined) }
}
