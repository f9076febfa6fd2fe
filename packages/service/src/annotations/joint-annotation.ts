/**
 * An annotation that several jobs share by its key: what each has said, and the annotation that all of it makes. A merge of such states
 * is commutative, associative and idempotent, so that neither order nor repeats nor what happens at the same moment makes a difference.
 * Pure. Deliberately not here: where a state is stored (rules.ts), and what a request says (the contract's annotation-job.ts).
 */
import { DESCRIPTION_POINTS_MAX } from '@deployment-annotations/contract/annotation'
import { type AnnotationJob, addLines } from '@deployment-annotations/contract/annotation-job'
import { dropUndefined } from '@deployment-annotations/contract/drop-undefined'
import type { AnnotationContent, StoredChange } from '@deployment-annotations/records/annotations/annotation-records'
import { withoutEmpty } from './requests.ts'

type Texts = Omit<AnnotationContent, 'datasets' | 'timeNs' | 'endTimeNs' | 'open'>

/** What a job said last; a failure counts more than anything, then the end of a span, then what is later. */
interface Word extends Texts {
  /** A word takes the place of those that a job of the same name said in earlier attempts. */
  attempt: number
  name?: string | undefined
  /** In nanoseconds, as texts, because JSON has no such numbers. */
  time: string
  endTime?: string | undefined
  /** The job said that it goes on. */
  open?: boolean | undefined
  /** In the order of the alphabet. */
  datasets: string[]
  failed: boolean
  ended: boolean
  /** The end of its span, or its time, in nanoseconds. */
  at: string
  line?: string | undefined
}

export interface JointAnnotation {
  run: string
  /** The last one of which a job has said something. */
  attempt: number
  words: Record<string, Word>
  /** What somebody has changed of the annotation by its id; it holds until the next attempt. */
  changed?: Partial<Texts> | undefined
}

/** More jobs than a matrix can have; of more, those count that spoke last. */
const JOBS_MAX = 300

/** @returns the state in which only this job has said something, and only once */
export function beginState(
  said: AnnotationContent,
  { run, attempt, job, name, failed = false, line }: AnnotationJob,
): JointAnnotation {
  const { datasets, timeNs, endTimeNs, open, ...texts } = said
  const word = {
    ...texts,
    ...{ attempt, name, failed, line },
    time: String(timeNs),
    endTime: endTimeNs?.toString(),
    open,
    datasets: [...datasets].sort(),
    ended: endTimeNs !== undefined,
    at: String(endTimeNs ?? timeNs),
  }
  return { run, attempt, words: { [job]: word } }
}

/** @param nameNow what a dataset is called now @returns what was stored, by the shape of today */
export function parseState(payload: string, nameNow: (dataset: string) => string): JointAnnotation {
  // Attempt, times and datasets stood once for all jobs before each had its own.
  const { run, words, changed, ...shared } = JSON.parse(payload) as JointAnnotation & Word
  const read = ({ datasets, ...word }: Word) => ({ ...word, datasets: datasets.map(nameNow).sort() })
  return { run, attempt: shared.attempt, words: mapWords(words, (word) => read({ ...shared, ...word })), changed }
}

/** @returns the state after both; of two runs the one that speaks last counts */
export function mergeStates(stored: JointAnnotation, said: JointAnnotation): JointAnnotation {
  if (stored.run !== said.run) return said
  const words = { ...stored.words }
  for (const [job, word] of Object.entries(said.words)) words[job] = mergeWords(words[job], word)
  const lastAttempts = new Map<string | undefined, number>()
  for (const { name, attempt } of Object.values(words)) lastAttempts.set(name, Math.max(attempt, lastAttempts.get(name) ?? 0))
  const counting = Object.entries(words).filter(([, { name, attempt }]) => attempt === lastAttempts.get(name))
  const { changed } = stored.attempt < said.attempt ? said : stored
  return {
    run: said.run,
    attempt: Math.max(stored.attempt, said.attempt),
    words: Object.fromEntries(counting.sort(compareEntries).slice(-JOBS_MAX)),
    ...(changed && { changed }),
  }
}

/** @returns what one job has said in all, of which the texts are those that count most */
function mergeWords(before: Word | undefined, word: Word): Word {
  if (before === undefined || before.attempt < word.attempt) return word
  if (before.attempt > word.attempt) return before
  return { ...(compareWords(before, word) < 0 ? word : before), ...mergeSpans([before, word]) }
}

/** @returns from the first start to the last end, on the datasets of all */
function mergeSpans(words: readonly Word[]): Pick<Word, 'time' | 'endTime' | 'open' | 'datasets'> {
  const ends = words.flatMap(({ endTime }) => endTime ?? [])
  return {
    time: words.map(({ time }) => time).reduce(earliest),
    endTime: ends.length > 0 ? ends.reduce(latest) : undefined,
    open: words.some(({ open }) => open) || undefined,
    datasets: [...new Set(words.flatMap(({ datasets }) => datasets))].sort(),
  }
}

/** @returns the members of the annotation that a state makes */
export function readState({ words, changed = {} }: JointAnnotation): AnnotationContent {
  const ranked = Object.entries(words).sort(compareEntries)
  const [, first] = ranked.at(-1) ?? []
  if (!first) throw new Error('a shared annotation of which nobody has said anything')
  const { time, endTime, open, datasets } = mergeSpans(Object.values(words))
  const { title, url, type, description = '', service, environment, version, tags } = first
  const text = changed.description ?? description
  const spoken = ranked.map(([, word]) => word).sort((a, b) => compare(BigInt(a.at), BigInt(b.at)))
  const lines = spoken.flatMap(({ line }) => (line === undefined || text.includes(line) ? [] : [line]))
  const { description: _, ...others } = changed
  const own = { type, title, url, service, environment, version, tags }
  const texts = { ...own, ...others, description: addLines(text, lines, DESCRIPTION_POINTS_MAX) }
  const span = endTime === undefined ? { open } : { endTimeNs: BigInt(endTime) }
  return withoutEmpty<AnnotationContent>({ ...texts, datasets, timeNs: BigInt(time), ...span })
}

/** @returns the state after somebody has changed the annotation by its id */
export function changeState(
  state: JointAnnotation,
  { timeNs, endTimeNs, datasets, open, ...texts }: StoredChange,
): JointAnnotation {
  const span = dropUndefined({
    time: timeNs?.toString(),
    endTime: endTimeNs?.toString(),
    datasets: datasets && [...datasets].sort(),
    open,
  })
  return { ...state, words: mapWords(state.words, (word) => ({ ...word, ...span })), changed: { ...state.changed, ...texts } }
}

function mapWords(words: JointAnnotation['words'], change: (word: Word) => Word): JointAnnotation['words'] {
  return Object.fromEntries(Object.entries(words).map(([job, word]) => [job, change(word)]))
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

const write = ({ type, title, description, url, line, service, environment, version, tags }: Word) =>
  JSON.stringify([type, title, description, url, line, service, environment, version, tags])
const compare = <T extends string | bigint>(a: T, b: T) => (a < b ? -1 : a > b ? 1 : 0)
const earliest = (a: string, b: string) => (BigInt(a) <= BigInt(b) ? a : b)
const latest = (a: string, b: string) => (BigInt(a) >= BigInt(b) ? a : b)
