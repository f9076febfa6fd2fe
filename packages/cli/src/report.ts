/** Reports the result of a subcommand: one line for people, or JSON. */
import type { Hints } from '@deployment-annotations/client/hints'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { type DryRequest, describeDoubts, describeDryRun, describePage } from '@deployment-annotations/inputs/describe'
import type { Saved } from '@deployment-annotations/inputs/save'
import type { ServiceInputs } from '@deployment-annotations/inputs/service'
import { log, print, printJson, warn } from './output.ts'

/** @param line for people, unless `json` */
export function reportSaved({ stored, hints }: Saved, json: boolean, line: string): void {
  if (json) printJson(stored)
  else print(line)
  reportHints(stored, hints)
}

/** Writes links and warnings to stderr, because stdout is for the result. */
export function reportHints(stored: Annotation, hints: Hints): void {
  if (hints.page !== undefined) log(describePage(hints.page))
  for (const doubt of describeDoubts(stored, hints)) warn(doubt)
}

export function reportDryRun(service: ServiceInputs, request: DryRequest, json: boolean): void {
  if (json) printJson({ dryRun: true, ...request })
  else print(describeDryRun(service, request))
}
