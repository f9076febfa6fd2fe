/**
 * The post step. It runs at the end of every job that has the step, so what it needs loads only where there is
 * something to do: a release span to close, or a main step that was stopped or lost an answer.
 */
import { readState } from './action/state.ts'

const { intent, id, doubt } = readState()
if (intent !== undefined && (intent.span || doubt || id === undefined)) {
  const { close } = await import('./action/close.ts')
  await close({ intent, ...(id === undefined ? {} : { id }), doubt })
}
