/**
 * What the main step saves for the post step in the runner's state file, which is plain text: never the token.
 */
import type { Intent } from '@deployment-annotations/inputs/close'
import { toLog } from '@deployment-annotations/inputs/text'
import type { StateName } from './leftover.ts'
import { core } from './toolkit.ts'

/** Called before the first byte is sent, so that a post step after a kill knows what to look for. */
export function saveIntent(intent: Intent): void {
  save('intent', JSON.stringify(intent))
}

/** Called when it is certain that nothing was stored: the post step has nothing to look for. */
export function forgetIntent(): void {
  save('intent', '')
}

export function saveId(id: string): void {
  save('id', id)
}

/** Called when an answer was lost. */
export function saveDoubt(): void {
  save('doubt', 'true')
}

/** Called when an outage kept a span from being created: the post step creates it whole. */
export function saveUnsent(): void {
  save('unsent', 'true')
}

/** The annotation is more important than what the post step could do. Without the state the post step does nothing. */
function save(name: StateName, value: string): void {
  try {
    core.saveState(name, value)
  } catch (error) {
    core.warning(
      `The runner's state (GITHUB_STATE) cannot be written: ${toLog(String(error))}. The step goes on; its post step will find nothing to close or look for.`,
    )
  }
}
