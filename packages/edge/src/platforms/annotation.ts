/**
 * The annotation of a deployment: a point while it is under way, a span once it has ended. Pure.
 * Its texts come from the platform, and from anyone who can write a commit message: they go in as text, never as Markdown.
 */
import assert from 'node:assert'
import { DESCRIPTION_POINTS_MAX, TITLE_POINTS_MAX } from '@deployment-annotations/contract/annotation'
import { formatDuration } from '@deployment-annotations/contract/duration'
import { isTitleFact } from '@deployment-annotations/contract/integration'
import { countPoints, cutText } from '@deployment-annotations/contract/text'
import type { Deployment } from './deployment.ts'
import type { Outcome } from './deployment-event.ts'
import { codeSpan, fitEscaped } from './markdown.ts'

/** What an integration says of its annotations. */
interface Shown {
  datasets: string[]
  type: string
  /** The names of facts stand in it in braces. */
  title: string
}

/** @returns what the annotation says; its times are nanoseconds since the epoch */
export function buildAnnotation(deployment: Deployment, { datasets, type, title }: Shown) {
  const { timeNs, endTimeNs } = spanOf(deployment)
  const url = deployment.facts.url?.value
  return {
    datasets,
    timeNs,
    ...(endTimeNs === undefined && { open: true }),
    ...(endTimeNs !== undefined && { endTimeNs }),
    title: buildTitle(title, deployment),
    description: buildDescription(deployment, endTimeNs === undefined ? undefined : endTimeNs - timeNs),
    type: deployment.facts.kind?.value ?? type,
    ...(url !== undefined && { url }),
  }
}

/**
 * It starts when the deployment was started, or else when it was asked for: waiting for an approval is not part of it. A start
 * after the end is that of another attempt, or by another clock, and does not count. Once there is an end there always is one,
 * because an annotation's `endTime` cannot be taken away.
 */
function spanOf({ queuedNs, startedNs, end }: Deployment): { timeNs: bigint; endTimeNs?: bigint } {
  const starts = [startedNs, queuedNs].filter((start) => start !== undefined)
  if (!end) {
    const [timeNs] = starts
    assert(timeNs !== undefined, 'an event without any time was read')
    return { timeNs }
  }
  return { timeNs: starts.find((start) => start <= end.atNs) ?? end.atNs, endTimeNs: end.atNs }
}

function buildTitle(template: string, { facts, end }: Deployment): string {
  const filled = facts.title?.value ?? fill(template, facts)
  const name = filled.replace(/\s+/g, ' ').trim() || 'Deployment'
  const outcome = end?.outcome === 'succeeded' ? facts.action?.value : end?.outcome
  const after = outcome === undefined ? '' : ` ${outcome}`
  return cutText(name, TITLE_POINTS_MAX - after.length) + after
}

function fill(template: string, facts: Deployment['facts']): string {
  return template.replace(/\{(\w+)\}/g, (_, fact: string) => (isTitleFact(fact) ? (facts[fact]?.value ?? '') : ''))
}

/** Four of these and their labels leave room for a message. */
const CODE_POINTS_MAX = 60
const MESSAGE_POINTS_MAX = 160

function buildDescription({ facts, end }: Deployment, durationNs: bigint | undefined): string {
  const shown = (['environment', 'branch', 'commit', 'by'] as const).filter((name) => facts[name] !== undefined)
  const details = shown.map((name) => `${name} ${codeSpan(cutText(facts[name]?.value ?? '', CODE_POINTS_MAX))}`).join(', ')
  const after = durationNs === undefined || durationNs === 0n ? '' : ` after ${durationText(durationNs)}`
  const state = end ? `${outcomeOf(end.outcome, facts)}${after}` : facts.kind ? 'ongoing' : 'in progress'
  const message = end?.message ? `: ${fitEscaped(end.message, MESSAGE_POINTS_MAX)}` : ''
  const paragraphs = [capitalize(state) + message, ...(details ? [capitalize(details)] : [])]
  const before = `${paragraphs.join('\n\n')}\n\nChange: `
  const change = facts.change && fitEscaped(facts.change.value, DESCRIPTION_POINTS_MAX - countPoints(before))
  return change ? before + change : paragraphs.join('\n\n')
}

/** What is no deployment does not succeed: it was resolved, or created. */
function outcomeOf(outcome: Outcome, { kind, action }: Deployment['facts']): string {
  const done = kind && action?.value
  return done && outcome === 'succeeded' ? done : outcome
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

function durationText(ns: bigint): string {
  const ms = Number(ns / 1_000_000n)
  return ms < 1_000 ? 'less than a second' : formatDuration(ms)
}
