/**
 * Releases and what follows from them: the path, closed lists, and how the texts of an annotation say what became of it. Specific to our
 * service. The shapes are in schemas/release.ts.
 */

export const RELEASES_PATH = '/v2/releases'
/** How many days the list of releases charts at most. */
export const RELEASE_DAYS_MAX = 400
/** What may have caused what is seen at a moment. */
export const CHANGES_PATH = '/v2/changes'

/** What an annotation is, as its type says. */
export const CHANGE_KINDS = ['rollback', 'release', 'flag', 'configuration', 'maintenance', 'incident', 'alert', 'other'] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

/** How a release ended, as far as its texts say so. */
export const RELEASE_RESULTS = ['succeeded', 'failed', 'canceled', 'running'] as const
export type ReleaseResult = (typeof RELEASE_RESULTS)[number]

/**
 * The words with which a line of the description starts, as the step, the command and the webhooks write them. What a job says counts for
 * all of a release that several jobs share, so a failure comes before a success.
 */
const RESULT_WORDS: readonly [RegExp, ReleaseResult][] = [
  [/^(?:failed(?: after\b|:|$)|failure\b)/im, 'failed'],
  [/^(?:canceled|cancelled)\b/im, 'canceled'],
  [/^(?:succeeded\b|success after\b|success \()/im, 'succeeded'],
  [/^in progress\b/im, 'running'],
]
const BACK = /\broll(?:ed|ing)?[\s-]?back\b|\brevert/i

interface Told {
  type: string
  title?: string
  description?: string
  endTime?: string
  /** Whether it goes on; a member of our service. */
  open?: boolean
}

/** @returns `undefined` if the annotation is no release, or does not say how it went */
export function readResult({ description = '', endTime, open }: Omit<Told, 'type' | 'title'>): ReleaseResult | undefined {
  const result = RESULT_WORDS.find(([words]) => words.test(description))?.[1] ?? (open ? 'running' : undefined)
  return result === 'running' && endTime !== undefined ? undefined : result
}

export const isRollback = ({ type, title = '' }: Pick<Told, 'type' | 'title'>): boolean => BACK.test(type) || BACK.test(title)
