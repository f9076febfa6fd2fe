/**
 * How long somebody waits for a verdict. It is a file of its own, because the step reads it and loads nothing of verdicts.
 */
import { parseDuration, UNIT_NS } from '@deployment-annotations/contract/duration'
import { refuse } from './input-error.ts'
import { quote } from './text.ts'

const WAIT_MAX = '6h'

/** @returns milliseconds; 0: nobody waits. @throws InputError */
export function parseVerdictWait(text: string): number {
  if (text.trim() === '') return 0
  const ns = parseDuration(text.trim())
  if (ns !== undefined && ns <= (parseDuration(WAIT_MAX) ?? 0n)) return Number(ns / UNIT_NS.ms)
  return refuse('waitForVerdict', ` is ${quote(text)}: it must be a length of time of at most ${WAIT_MAX}, such as 15m`)
}
