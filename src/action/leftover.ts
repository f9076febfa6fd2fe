/**
 * What the main step has left for the post step, read from the state that the runner gives back. It runs at the end of every
 * job that has the step, so it deliberately loads nothing: neither the toolkit nor the client.
 */
import type { Intent, Leftover } from '@deployment-annotations/inputs/close'

/** The names under which the main step saves it (state.ts). */
export type StateName = 'intent' | 'id' | 'doubt'

/** @returns what is left to be done; `undefined` where there is nothing, as after most main steps */
export function readLeftover(env: NodeJS.ProcessEnv): Leftover | undefined {
  const read = (name: StateName) => env[`STATE_${name}`] ?? ''
  if (read('intent') === '') return undefined
  const intent = JSON.parse(read('intent')) as Intent
  const id = read('id')
  const doubt = read('doubt') === 'true'
  const mayHaveStray = intent.annotation !== undefined && (doubt || id === '')
  const changesType = intent.typeOnFailure !== undefined && (env.INPUT_JOBSTATUS ?? '').endsWith('failure')
  return intent.isSpan || mayHaveStray || changesType ? { intent, doubt, ...(id === '' ? {} : { id }) } : undefined
}
