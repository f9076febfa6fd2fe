/**
 * A deployment as its events so far tell it, and how two versions of it merge. {@link mergeDeployments} gives the same whatever comes
 * first, comes twice or comes together (it is commutative, associative and idempotent), so that the order in which a platform
 * delivers, and how often, does not matter. The price: each member must have one rule that says which of two versions counts.
 */
import { TITLE_FACTS } from '@deployment-annotations/contract/integration'
import type { DeploymentEvent, DeploymentFacts, Outcome } from './deployment-event.ts'

/** Which of two statements is the newer one, by the platform's clock and count. */
interface Version {
  atNs: bigint
  sequence: number
}

interface End extends Version {
  outcome: Outcome
  isImplied: boolean
  message: string
}

interface Fact extends Version {
  value: string
}

export interface Deployment {
  /** The earliest time that any event gives. */
  queuedNs?: bigint | undefined
  startedNs?: bigint | undefined
  end?: End | undefined
  facts: { [Name in keyof DeploymentFacts]?: Fact | undefined }
}

const FACT_NAMES = [...TITLE_FACTS, 'change', 'url', 'kind', 'action', 'title'] as const

/** @returns the deployment as one event describes it */
export function deploymentFrom(event: DeploymentEvent): Deployment {
  const { state, atNs, sequence = 0, queuedNs, startedNs, isImplied = false, message = '', facts: told } = event
  const version: Version = { atNs, sequence }
  const hasEnded = state !== 'queued' && state !== 'started'
  const facts: Deployment['facts'] = {}
  for (const name of FACT_NAMES) if (told[name] !== undefined) facts[name] = { ...version, value: told[name] }
  return {
    queuedNs: state === 'queued' ? earliest(queuedNs, atNs) : queuedNs,
    startedNs: state === 'started' ? earliest(startedNs, atNs) : startedNs,
    end: hasEnded ? { ...version, outcome: state, isImplied, message } : undefined,
    facts,
  }
}

export function mergeDeployments(a: Deployment, b: Deployment): Deployment {
  const facts: Deployment['facts'] = {}
  for (const name of FACT_NAMES) facts[name] = latest(a.facts[name], b.facts[name], compareFacts)
  return {
    queuedNs: earliest(a.queuedNs, b.queuedNs),
    startedNs: earliest(a.startedNs, b.startedNs),
    end: latest(a.end, b.end, compareEnds),
    facts,
  }
}

/**
 * A platform that tries again says so later, so the last end counts: success after failure is a success. An implied end counts
 * for less than any that was reported, and the first of them counts, because it may be implied again any time later.
 */
function compareEnds(a: End, b: End): number {
  if (a.isImplied !== b.isImplied) return a.isImplied ? -1 : 1
  const later = compareVersions(a, b)
  if (later !== 0) return a.isImplied ? -later : later
  return RANK[a.outcome] - RANK[b.outcome] || compareTexts(a.message, b.message)
}

/** Chooses between two ends at one moment. Which one wins matters less than that it is always the same one. */
const RANK: Readonly<Record<Outcome, number>> = { canceled: 0, failed: 1, succeeded: 2 }

function compareFacts(a: Fact, b: Fact): number {
  return compareVersions(a, b) || compareTexts(a.value, b.value)
}

function compareVersions(a: Version, b: Version): number {
  if (a.atNs !== b.atNs) return a.atNs < b.atNs ? -1 : 1
  return a.sequence - b.sequence
}

function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}

function latest<T>(a: T | undefined, b: T | undefined, compare: (a: T, b: T) => number): T | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return compare(a, b) >= 0 ? a : b
}

function earliest(a: bigint | undefined, b: bigint | undefined): bigint | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return a < b ? a : b
}

/** @returns the deployment as it is stored: one text for one content */
export function formatDeployment({ queuedNs, startedNs, end, facts }: Deployment): string {
  const stored = { queuedNs, startedNs, end: end && toStoredEnd(end), facts }
  return JSON.stringify(stored, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))
}

/** Reads what {@link formatDeployment} wrote, in this version or an earlier one. */
export function parseDeployment(text: string): Deployment {
  const { end, ...rest } = JSON.parse(text, (member, value: unknown) =>
    TIMES.has(member) && typeof value === 'string' ? BigInt(value.slice(0, -1)) : value,
  ) as Omit<Deployment, 'end'> & { end?: StoredEnd }
  return { ...rest, end: end && fromStoredEnd(end) }
}

const TIMES: ReadonlySet<string> = new Set(['queuedNs', 'startedNs', 'atNs'])

/** In stored texts an implied end has another name, which stays: another text would look like another deployment. */
type StoredEnd = Omit<End, 'isImplied'> & { isHearsay: boolean }

function toStoredEnd({ atNs, sequence, outcome, isImplied, message }: End): StoredEnd {
  return { atNs, sequence, outcome, isHearsay: isImplied, message }
}

function fromStoredEnd({ isHearsay, ...rest }: StoredEnd): End {
  return { ...rest, isImplied: isHearsay }
}
