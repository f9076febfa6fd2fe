/**
 * The post step. It runs at the end of every job that has the step, so it loads the rest only if there is something to do: a release
 * span to close, or a main step that was stopped or lost an answer.
 */
import { readLeftover } from './action/leftover.ts'

const leftover = readLeftover(process.env)
if (leftover !== undefined) {
  void import('./close.ts' /* webpackIgnore: true */).then(({ close }) => close(leftover))
}
