/** What people see of the step: log, outputs and job summary. All text from inputs, commits and the service is escaped first. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { type DryRequest, describe, describeDoubts, describeDryRun, describePage } from '@deployment-annotations/inputs/describe'
import type { Saved } from '@deployment-annotations/inputs/save'
import type { ServiceInputs } from '@deployment-annotations/inputs/service'
import { escapeHtml, toLog } from '@deployment-annotations/inputs/text'
import type { ActionInputs } from './inputs.ts'
import { core, summarize } from './toolkit.ts'

type Outcome = 'created' | 'changed' | 'dry-run' | 'unreachable' | 'failed' | 'skipped'

/**
 * @param annotation what the service stored; absent if nothing was stored or it is not known
 * @param chart the link to its charts, '' if the service has none
 */
export function reportOutcome(outcome: Outcome, annotation?: Annotation, chart = ''): void {
  core.setOutput('id', annotation?.id ?? '')
  core.setOutput('annotation', JSON.stringify(annotation ?? null))
  core.setOutput('chart', chart)
  core.setOutput('outcome', outcome)
}

/** The annotation is stored, but its outputs could not be written, so later steps lack its id. */
export class ReportError extends Error {
  override name = 'ReportError'

  constructor(outcome: 'created' | 'changed', { id }: Annotation, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    super(
      `The annotation ${id} was ${outcome}, but the outputs (GITHUB_OUTPUT) cannot be written: ${toLog(reason)}. ` +
        'Steps that need its id can be given it; running this one again adds another annotation.',
      { cause },
    )
  }
}

/** Reports the stored annotation: outputs, one line of the log and, if wanted, the job summary. */
export async function reportSaved({ stored, outcome, hints }: Saved, inputs: ActionInputs): Promise<void> {
  const until = inputs.mark.endTime === 'job-end' ? ' until the job ends' : ''
  try {
    reportOutcome(outcome, stored, hints.page)
  } catch (error) {
    throw new ReportError(outcome, stored, error)
  }
  core.info(describe(outcome, stored, until))
  if (hints.page !== undefined) core.info(describePage(hints.page))
  for (const doubt of describeDoubts(stored, hints)) core.warning(doubt)
  if (inputs.summary) await summarize(describeInHtml(outcome, stored, { until, page: hints.page }))
}

export function reportDryRun(service: ServiceInputs, request: DryRequest): void {
  core.info(describeDryRun(service, request))
  reportOutcome('dry-run')
}

/** @returns one sentence for the job summary */
function describeInHtml(
  outcome: 'created' | 'changed',
  { type, title, datasets, time, endTime, url }: Annotation,
  { until, page }: { until: string; page: string | undefined },
): string {
  const name = title === undefined ? '' : ` “${escapeHtml(title)}”`
  const end = endTime === undefined ? until : ` to ${showTime(endTime)}`
  const done = `${outcome === 'created' ? 'Marked' : 'Changed'} <b>${escapeHtml(type)}</b>${name}`
  const on = datasets.map((dataset) => `<code>${escapeHtml(dataset)}</code>`).join(', ')
  return `<p>${done} on ${on} at ${showTime(time)}${end}.${linkTo(page, 'On the charts')}${linkTo(url, 'Link')}</p>`
}

function linkTo(url: string | undefined, text: string): string {
  return url !== undefined && /^https?:\/\//i.test(url) ? ` <a href="${escapeHtml(url, url.length)}">${text}</a>` : ''
}

/** @returns `2026-01-31 12:00:00 UTC` */
const showTime = (time: string) => escapeHtml(time.replace('T', ' ').replace(/(?:\.\d+)?Z$/, ' UTC'))
