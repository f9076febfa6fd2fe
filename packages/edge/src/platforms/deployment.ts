/**
 * A deployment as its events so far tell it, and how two versions of it merge. {@link mergeDeployments} gives the same whatever comes
 * first, comes twice or comes together (it is commutative, associative and idempotent), so that the order in which a platform
 * delivers, and how often, does not matter. The price: each member must have one rule that says which of two versions counts.
 */
import { type DeploymentEvent, type DeploymentFacts, FACTS, type Outcome } from './deployment-event.ts'

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

/** @returns the deployment as one event describes it */
export function deploymentFrom(event: DeploymentEvent): Deployment {
  const { state, atNs, sequence = 0, queuedNs, startedNs, isImplied = false, message = '', facts: told } = event
  const version: Version = { atNs, sequence }
  const hasEnded = state !== 'queued' && state !== 'started'
  const facts: Deployment['facts'] = {}
  for (const name of FACTS) if (told[name] !== undefined) facts[name] = { ...version, value: told[name] }
  return {
    queuedNs: state === 'queued' ? earliest(queuedNs, atNs) : queuedNs,
    startedNs: state === 'started' ? earliest(startedNs, atNs) : startedNs,
    end: hasEnded ? { ...version, outcome: state, isImplied, message } : undefined,
    facts,
  }
}

export function mergeDeployments(a: Deployment, b: Deployment): Deployment {
  const facts: Deployment['facts'] = {}
  for (const name of FACTS) facts[name] = latest(a.facts[name], b.facts[name], rankFact)
  return {
    queuedNs: earliest(a.queuedNs, b.queuedNs),
    startedNs: earliest(a.startedNs, b.startedNs),
    end: latest(a.end, b.end, rankEnd),
    facts,
  }
}

/** What decides which of two versions counts: the first of these that differs, of which the greater one does. */
type Rank = readonly (bigint | number | string)[]

/**
 * A platform that tries again says so later, so the last end counts: success after failure is a success. An implied end counts
 * for less than any that was reported, and the first of them counts, because it may be implied again any time later.
 */
function rankEnd({ isImplied, atNs, sequence, outcome, message }: End): Rank {
  const version = isImplied ? [0, -atNs, -sequence] : [1, atNs, sequence]
  return [...version, OUTCOMES.indexOf(outcome), message]
}

/** In the order by which one of two ends at one moment is chosen. Which one matters less than that it is always the same one. */
const OUTCOMES: readonly Outcome[] = ['canceled', 'failed', 'succeeded']

const rankFact = ({ atNs, sequence, value }: Fact): Rank => [atNs, sequence, value]

function latest<T>(a: T | undefined, b: T | undefined, rankOf: (version: T) => Rank): T | undefined {
  if (a === undefined || b === undefined) return a ?? b
  const [rank, other] = [rankOf(a), rankOf(b)]
  const at = rank.findIndex((part, index) => part !== other[index])
  return (rank[at] ?? 0) < (other[at] ?? 0) ? b : a
}

const earliest = (a: bigint | undefined, b: bigint | undefined) => latest(a, b, (ns) => [-ns])

/** In stored texts `isImplied` has another name, which stays: another text would look like another deployment. */
const STORED_NAME = 'isHearsay'

/** @returns the deployment as it is stored: one text for one content */
export function formatDeployment({ queuedNs, startedNs, end, facts }: Deployment): string {
  const { isImplied, message, ...rest } = end ?? {}
  const stored = { queuedNs, startedNs, end: end && { ...rest, [STORED_NAME]: isImplied, message }, facts }
  return JSON.stringify(stored, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))
}

/** Reads what {@link formatDeployment} wrote, in this version or an earlier one. */
export function parseDeployment(text: string): Deployment {
  const { end, ...rest } = JSON.parse(text, (member, value: unknown) =>
    TIMES.has(member) && typeof value === 'string' ? BigInt(value.slice(0, -1)) : value,
  ) as Deployment & { end?: End & { [STORED_NAME]: boolean } }
  if (!end) return rest
  const { [STORED_NAME]: isImplied, ...others } = end
  return { ...rest, end: { ...others, isImplied } }
}

const TIMES: ReadonlySet<string> = new Set(['queuedNs', 'startedNs', 'atNs'])
