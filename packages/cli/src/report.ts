/**
 * What a subcommand says it has done: one line for people, or JSON.
 */
import type { Hints } from '@deployment-annotations/client/hints'
import { type DryRequest, describeDoubts, describeDryRun, describePage } from '@deployment-annotations/inputs/describe'
import { warnOfCuts } from '@deployment-annotations/inputs/mark'
import type { Saved } from '@deployment-annotations/inputs/save'
import { type ServiceInputs, warnOfWhitespace } from '@deployment-annotations/inputs/service'
import { toLog } from '@deployment-annotations/inputs/text'
import type { RawFlags } from './flags.ts'
import { COMMAND } from './inputs.ts'
import { log, print, printJson, warn } from './output.ts'

/** @param line what people read instead of JSON */
export function reportSaved({ stored, hints }: Saved, json: boolean, line: string): void {
  if (json) printJson(stored)
  else print(line)
  reportHints(hints)
}

/** On stderr: what the service says besides is for people. */
export function reportHints(hints: Hints): void {
  if (hints.page !== undefined) log(describePage(hints.page))
  for (const doubt of describeDoubts(hints)) warn(doubt)
}

export function reportDryRun(service: ServiceInputs, request: DryRequest, json: boolean): void {
  if (json) printJson({ dryRun: true, ...request })
  else print(describeDryRun(service, request))
}

/** Says which texts are too long for the service and were cut. */
export function reportCuts(raw: RawFlags): void {
  for (const { input, rest } of warnOfCuts({ ...raw, id: '' })) warn(toLog(COMMAND.subject(input) + rest))
}

/** Says that whitespace was left out of the token. */
export function reportWhitespace(raw: RawFlags): void {
  for (const { input, rest } of warnOfWhitespace(raw)) warn(COMMAND.subject(input) + rest)
}
