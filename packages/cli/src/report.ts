/**
 * What a subcommand says it has done: one line for people, or JSON.
 */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { type DryRequest, describeDryRun } from '@deployment-annotations/inputs/describe'
import { warnOfCuts } from '@deployment-annotations/inputs/mark'
import type { ServiceInputs } from '@deployment-annotations/inputs/service'
import { toLog } from '@deployment-annotations/inputs/text'
import type { RawFlags } from './flags.ts'
import { COMMAND } from './inputs.ts'
import { print, printJson, warn } from './output.ts'

export function reportStored(stored: Annotation, json: boolean, line: string): void {
  if (json) printJson(stored)
  else print(line)
}

export function reportDryRun(service: ServiceInputs, request: DryRequest, json: boolean): void {
  if (json) printJson({ dryRun: true, ...request })
  else print(describeDryRun(service, request))
}

/** Says which texts are too long for the service and were cut. */
export function reportCuts(raw: RawFlags): void {
  for (const { input, rest } of warnOfCuts({ ...raw, id: '' })) warn(toLog(COMMAND.subject(input) + rest))
}
