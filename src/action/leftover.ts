/**
 * Reads what the main step left for the post step, from the state that the runner gives back. It runs at the end of every job that has
 * the step, so it loads neither the toolkit nor the client.
 */
import type { Intent, Leftover } from '@deployment-annotations/inputs/close'

/** The names under which the main step saves it (state.ts). */
export type StateName = 'intent' | 'id' | 'doubt' | 'unsent'

/** @returns what is left to do; `undefined` if there is nothing, as after most main steps */
export function readLeftover(env: NodeJS.ProcessEnv): Leftover | undefined {
  const read = (name: StateName) => env[`STATE_${name}`] ?? ''
  if (read('intent') === '') return undefined
  const intent = parseIntent(read('intent'))
  if (intent === undefined) {
    process.stdout.on('error', () => undefined)
    process.stdout.write(`::warning::${UNREADABLE}\n`)
    return undefined
  }
  const id = read('id')
  const doubt = read('doubt') === 'true'
  const mayHaveStray = intent.annotation !== undefined && (doubt || id === '')
  // Whether the word means a failure is decided later, by code that is not loaded here.
  const mayChangeType = intent.typeOnFailure !== undefined && !(env.INPUT_RESULT ?? '').endsWith('success')
  const waits = (env.INPUT_WAIT ?? '').trim() !== '' && id !== ''
  return intent.isSpan || mayHaveStray || mayChangeType || waits
    ? { intent, doubt, unsent: read('unsent') === 'true', ...(id === '' ? {} : { id }) }
    : undefined
}

const UNREADABLE =
  'What the main step has saved in the state of the runner (GITHUB_STATE) cannot be read. If it has opened a span, the span stays open: ' +
  'close it with the inputs `id` and `endTime: now`.'

/** @returns `undefined` for a text that this step did not write, for example because a full disk cut it */
function parseIntent(text: string): Intent | undefined {
  try {
    const intent = JSON.parse(text) as Intent
    const { annotation } = intent
    const isWhole = annotation === undefined || (typeof annotation.time === 'string' && Array.isArray(annotation.datasets))
    return typeof intent.isSpan === 'boolean' && isWhole ? intent : undefined
  } catch {
    return undefined
  }
}
