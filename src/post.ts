/**
 * The post step. It runs at the end of every job that has the step, so what it needs loads only where there is
 * something to do: a release span to close, or a main step that was stopped or lost an answer.
 */
import { readState } from './action/state.ts'

const { intent, id, doubt } = readState()
const mayHaveStray = intent?.annotation !== undefined && (doubt || id === undefined)
if (intent !== undefined && (intent.span || mayHaveStray)) {
  const { close } = await import('./action/close.ts')
  await close({ intent, ...(id === undefined ? {} : { id }), doubt })
}
