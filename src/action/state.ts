/**
 * What the main step leaves for the post step in the runner's state file, which is plain text: never the token.
 */
import type { NewAnnotation } from '@deployment-annotations/contract/annotation'
import { core } from './toolkit.ts'

export interface Intent {
  /** What is about to be sent; of a span that is opened with `id`, absent. */
  annotation?: NewAnnotation & { time: string }
  /** Whether the post step closes it when the job ends. */
  span: boolean
  /** Whether `time` holds random digits of ours, so that an equal annotation can only be ours. */
  ownTime: boolean
}

export interface State {
  intent?: Intent
  /** The annotation that is known to be stored. */
  id?: string
  /** Whether an answer was lost on the way: there may be an annotation that nobody knows of, or a second copy. */
  doubt: boolean
}

/** Called before the first byte is sent, so that a post step after a kill knows what to look for. */
export function saveIntent(intent: Intent): void {
  core.saveState('intent', JSON.stringify(intent))
}

/** Called where it is certain that nothing was stored: the post step has nothing to look for. */
export function forgetIntent(): void {
  core.saveState('intent', '')
}

export function saveId(id: string): void {
  core.saveState('id', id)
}

export function saveDoubt(): void {
  core.saveState('doubt', 'true')
}

export function readState(): State {
  const intent = core.getState('intent')
  const id = core.getState('id')
  return {
    ...(intent === '' ? {} : { intent: JSON.parse(intent) as Intent }),
    ...(id === '' ? {} : { id }),
    doubt: core.getState('doubt') === 'true',
  }
}
