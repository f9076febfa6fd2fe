/**
 * What is known of a deployment from all of its events so far, and how more becomes known. {@link join} gives the same whatever
 * comes first, comes twice or comes together (it is commutative, associative and idempotent), so that the order in which a
 * platform delivers, and how often, does not matter. The price: each member must have one rule that says which of two counts.
 */
import type { DeploymentEvent, DeploymentFacts, Outcome } from './deployment-event.ts'

/** When something was said, by the platform's clock and count. */
interface Said {
  atNs: bigint
  sequence: number
}

export interface End extends Said {
  outcome: Outcome
  isHearsay: boolean
  message: string
}

interface Fact extends Said {
  value: string
}

export interface Known {
  /** The earliest time that any event gives. */
  queuedNs?: bigint
  startedNs?: bigint
  end?: End
  facts: { [Name in keyof DeploymentFacts]?: Fact }
}

const FACT_NAMES = ['project', 'environment', 'version', 'branch', 'commit', 'by', 'change', 'url'] as const

/** @returns what one event says */
export function knownFrom({
  state,
  atNs,
  sequence = 0,
  queuedNs,
  isHearsay = false,
  message = '',
  facts,
}: DeploymentEvent): Known {
  const said: Said = { atNs, sequence }
  const hasEnded = state !== 'queued' && state !== 'started'
  const asked = state === 'queued' ? earliest(queuedNs, atNs) : queuedNs
  const known: Known['facts'] = {}
  for (const name of FACT_NAMES) if (facts[name] !== undefined) known[name] = { ...said, value: facts[name] }
  return {
    ...(asked !== undefined && { queuedNs: asked }),
    ...(state === 'started' && { startedNs: atNs }),
    ...(hasEnded && { end: { ...said, outcome: state, isHearsay, message } }),
    facts: known,
  }
}

/** @returns what is known from both */
export function join(a: Known, b: Known): Known {
  const queuedNs = earliest(a.queuedNs, b.queuedNs)
  const startedNs = earliest(a.startedNs, b.startedNs)
  const end = pick(a.end, b.end, compareEnds)
  const facts: Known['facts'] = {}
  for (const name of FACT_NAMES) {
    const fact = pick(a.facts[name], b.facts[name], compareFacts)
    if (fact) facts[name] = fact
  }
  return {
    ...(queuedNs !== undefined && { queuedNs }),
    ...(startedNs !== undefined && { startedNs }),
    ...(end && { end }),
    facts,
  }
}

/**
 * A platform that tries again says so later, so the last end counts: success after failure is a success. Hearsay counts for
 * less than any other word, and the first of it counts, because it may be repeated any time later.
 */
function compareEnds(a: End, b: End): number {
  if (a.isHearsay !== b.isHearsay) return a.isHearsay ? -1 : 1
  const later = compareSaid(a, b)
  if (later !== 0) return a.isHearsay ? -later : later
  return RANK[a.outcome] - RANK[b.outcome] || compareTexts(a.message, b.message)
}

/** Of two ends at one moment. Which wins matters less than that one always does. */
const RANK: Readonly<Record<Outcome, number>> = { canceled: 0, failed: 1, succeeded: 2 }

function compareFacts(a: Fact, b: Fact): number {
  return compareSaid(a, b) || compareTexts(a.value, b.value)
}

function compareSaid(a: Said, b: Said): number {
  if (a.atNs !== b.atNs) return a.atNs < b.atNs ? -1 : 1
  return a.sequence - b.sequence
}

function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}

function pick<T>(a: T | undefined, b: T | undefined, compare: (a: T, b: T) => number): T | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return compare(a, b) >= 0 ? a : b
}

function earliest(a: bigint | undefined, b: bigint | undefined): bigint | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return a < b ? a : b
}

/** @returns it as text, one text for one content */
export function writeKnown(known: Known): string {
  return JSON.stringify(known, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))
}

/** Reads what {@link writeKnown} wrote. */
export function readKnown(text: string): Known {
  return JSON.parse(text, (member, value: unknown) =>
    TIMES.has(member) && typeof value === 'string' ? BigInt(value.slice(0, -1)) : value,
  ) as Known
}

const TIMES: ReadonlySet<string> = new Set(['queuedNs', 'startedNs', 'atNs'])
