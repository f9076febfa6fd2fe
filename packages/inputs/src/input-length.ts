/**
 * The text of a length of time to milliseconds, or to an InputError. It is a file of its own, because the step reads a wait and loads
 * nothing of verdicts.
 */
import { parseDuration, UNIT_NS } from '@deployment-annotations/contract/duration'
import { refuse } from './input-error.ts'
import { quote } from './text.ts'

/** @returns milliseconds. @throws InputError */
export function parseLength(name: string, text: string, [least, most]: readonly [least: string, most: string]): number {
  const ns = parseDuration(text.trim())
  if (ns !== undefined && ns >= (parseDuration(least) ?? 0n) && ns <= (parseDuration(most) ?? 0n)) return Number(ns / UNIT_NS.ms)
  return refuse(name, ` is ${quote(text)}: it must be a length of time from ${least} to ${most}, such as 10m or 1h30m`)
}

/** @returns how long to wait for a verdict, in milliseconds; 0 where nothing is waited for. @throws InputError */
export function parseWait(text: string): number {
  return text.trim() === '' ? 0 : parseLength('wait', text, ['0s', '6h'])
}
