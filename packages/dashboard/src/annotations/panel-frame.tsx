/** A panel beside the charts: its heading, and the button and the key that close it. */
import './annotations.css'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { navigate } from '../address/navigation.ts'
import type { View } from '../address/view.ts'
import { SignButton } from '../parts/sign-button.tsx'
import { titleOf } from './annotation-view.ts'
import { Sign } from './sign.tsx'
import { headlineOf, stateOf } from './verdict.ts'

interface PanelFrameProps {
  class?: string
  title: string
  /** The one annotation that it is about. */
  of?: Annotation | undefined
  /** What can be done, beside the button that closes it. */
  actions?: ComponentChildren
  /** Whether the person opened it; otherwise the address did. */
  takesFocus: boolean
  /** The view without it. */
  without: Partial<View>
  children: ComponentChildren
}

export function PanelFrame(props: PanelFrameProps) {
  const { class: name = '', title, of, actions, takesFocus, without, children } = props
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (takesFocus) heading.current?.focus({ preventScroll: true })
  }, [])
  const close = () => navigate(without)
  return (
    <aside
      class={`panel card ${name}`}
      aria-label={title}
      onKeyDown={({ key, target }) => {
        // Escape answers an open dialog first.
        if (key === 'Escape' && !(target as Element).closest('dialog')) close()
      }}
    >
      <div class="row panel-head">
        {of && <Sign state={stateOf(of)} />}
        <h2 ref={heading} class="clip" tabIndex={-1} aria-label={of?.verdictDetails && `${title}: ${headlineOf(of, Date.now())}`}>
          {title}
        </h2>
        {actions}
        <SignButton label="Close the panel" onClick={close}>
          ✕
        </SignButton>
      </div>
      {children}
    </aside>
  )
}

interface PickProps {
  annotation: Annotation
  /** What is said of it, by default its title. */
  words?: string
  /** When it was. */
  when: string
}

/** A line that opens the panel of one annotation. */
export function Pick({ annotation, words = titleOf(annotation), when }: PickProps) {
  return (
    <button type="button" class="quiet pick" onClick={() => navigate({ annotations: [annotation.id] })}>
      <Sign state={stateOf(annotation)} />
      <span>{words}</span>
      <span class="hint">{when}</span>
    </button>
  )
}
