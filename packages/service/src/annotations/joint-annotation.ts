/**
 * An annotation that several jobs share by its key: what each has said, and the annotation that all of it makes. A merge of such states
 * is commutative, associative and idempotent, so that neither order nor repeats nor what happens at the same moment makes a difference.
 * Pure. Deliberately not here: where a state is stored (rules.ts), and what a request says (the contract's annotation-part.ts).
 */
import { DESCRIPTION_POINTS_MAX } from '@deployment-annotations/contract/annotation'
import { type AnnotationPart, addLines, isEarlierAttempt, isSameAttempt } from '@deployment-annotations/contract/annotation-part'
import type { AnnotationContent, StoredChange } from '@deployment-annotations/records/annotation-records'

/** What a job said last; a failure counts more than anything, then the end of a span, then what is later. */
interface Word {
  failed: boolean
  ended: boolean
  /** The end of its span, or its time, in nanoseconds. */
  at: string
  type: string
  title?: string | undefined
  description?: string | undefined
  url?: string | undefined
  service?: string | undefined
  environment?: string | undefined
  version?: string | undefined
  tags?: string[] | undefined
  line?: string | undefined
}

export interface JointAnnotation {
  run: string
  attempt: number
  /** In nanoseconds, as texts, because JSON has no such numbers. */
  time: string
  endTime?: string
  /** One of the jobs said that it goes on. */
  open?: boolean
  /** In the order of the alphabet. */
  datasets: string[]
  words: Record<string, Word>
  /** What somebody has changed of the annotation by its id; it holds until the next attempt. */
  changed?: Pick<StoredChange, 'type' | 'title' | 'description' | 'url' | 'service' | 'environment' | 'version' | 'tags'>
}

/** More jobs than a matrix can have; of more, those count that spoke last. */
const JOBS_MAX = 300

/** @returns the state in which only this job has said something, and only once */
export function beginState(said: AnnotationContent, part: AnnotationPart): JointAnnotation {
  const { datasets, timeNs, endTimeNs, open, ...texts } = said
  const at = String(endTimeNs ?? timeNs)
  const word = {
    failed: part.failed ?? false,
    ended: endTimeNs !== undefined,
    at,
    ...texts,
    line: part.line,
  }
  return {
    run: part.run,
    attempt: part.attempt,
    time: String(timeNs),
    ...(endTimeNs !== undefined && { endTime: String(endTimeNs) }),
    ...(open && { open }),
    datasets: [...datasets].sort(),
    words: { [part.job]: word },
  }
}

/** @returns the state after both; of an attempt that is over nothing counts once the next one has begun */
export function mergeStates(stored: JointAnnotation, said: JointAnnotation): JointAnnotation {
  if (!isSameAttempt(stored, said)) return isEarlierAttempt(said, stored) ? stored : said
  const ends = [stored.endTime, said.endTime].filter((end) => end !== undefined)
  const words = { ...stored.words }
  for (const [job, word] of Object.entries(said.words)) {
    const before = words[job]
    if (before === undefined || compareWords(before, word) < 0) words[job] = word
  }
  const ranked = Object.entries(words).sort(compareEntries)
  return {
    ...stored,
    time: earliest(stored.time, said.time),
    ...(ends.length > 0 && { endTime: ends.reduce(latest) }),
    ...((stored.open || said.open) && { open: true }),
    datasets: [...new Set([...stored.datasets, ...said.datasets])].sort(),
    words: Object.fromEntries(ranked.slice(-JOBS_MAX)),
  }
}

/** @returns the members of the annotation that a state makes */
export function readState({ time, endTime, open, datasets, words, changed = {} }: JointAnnotation): AnnotationContent {
  const ranked = Object.entries(words).sort(compareEntries)
  const [, first] = ranked.at(-1) ?? []
  if (!first) throw new Error('a shared annotation of which nobody has said anything')
  const { title, url, type, description = '', service, environment, version, tags } = first
  const text = changed.description ?? description
  const spoken = ranked.map(([, word]) => word).sort((a, b) => compare(BigInt(a.at), BigInt(b.at)))
  const lines = spoken.flatMap(({ line }) => (line === undefined || text.includes(line) ? [] : [line]))
  const { description: _, ...others } = changed
  const own = { service, environment, version, tags }
  const members = { type, title, url, ...own, ...others, description: addLines(text, lines, DESCRIPTION_POINTS_MAX) }
  const given = Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && value !== '' && !isEmptyList(value)),
  )
  const span = endTime === undefined ? { ...(open && { open }) } : { endTimeNs: BigInt(endTime) }
  return { type, ...given, datasets, timeNs: BigInt(time), ...span }
}

/** @returns the state after somebody has changed the annotation by its id */
export function changeState(
  state: JointAnnotation,
  { timeNs, endTimeNs, datasets, open, ...texts }: StoredChange,
): JointAnnotation {
  return {
    ...state,
    ...(timeNs !== undefined && { time: String(timeNs) }),
    ...(endTimeNs !== undefined && { endTime: String(endTimeNs) }),
    ...(datasets !== undefined && { datasets: [...datasets].sort() }),
    ...(open !== undefined && { open }),
    changed: { ...state.changed, ...texts },
  }
}

function compareEntries([jobA, a]: [string, Word], [jobB, b]: [string, Word]): number {
  return compareWords(a, b) || compare(jobA, jobB)
}

/** A total order, so that of two words every reader takes the same. */
function compareWords(a: Word, b: Word): number {
  return (
    Number(a.failed) - Number(b.failed) ||
    Number(a.ended) - Number(b.ended) ||
    compare(BigInt(a.at), BigInt(b.at)) ||
    compare(write(a), write(b))
  )
}

const write = ({ failed: _, ended: __, at: ___, type, title, description, url, line, ...tags }: Word) =>
  JSON.stringify([type, title, description, url, line, tags])
const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0
const compare = <T extends string | bigint>(a: T, b: T) => (a < b ? -1 : a > b ? 1 : 0)
const earliest = (a: string, b: string) => (BigInt(a) <= BigInt(b) ? a : b)
const latest = (a: string, b: string) => (BigInt(a) >= BigInt(b) ? a : b)
