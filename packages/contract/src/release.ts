/**
 * Releases and what follows from them: whether they hurt, the four metrics of delivery, what may have caused what is seen at a moment, and
 * how the texts of an annotation say what became of it. Specific to our service.
 */
import { ANNOTATION, ANNOTATION_FILTER, ANNOTATION_ID_PATTERN, type AnnotationFilter } from './annotation.ts'
import type { Calls } from './call.ts'
import { DURATION_PATTERN, formatDuration, UNIT_MS } from './duration.ts'
import { operations } from './operation.ts'
import { timeParameter } from './relative-time.ts'
import {
  byHand,
  flag,
  type Infer,
  list,
  number,
  object,
  oneOf,
  optional,
  type Schema,
  schemaOf,
  text,
  time,
  whole,
} from './schema.ts'

/** How many days the list of releases charts at most. */
export const RELEASE_DAYS_MAX = 400

export const RELEASE_CALLS = {
  /** Those of 30 days until now by default. */
  list: { call: 'GET /v2/releases', takes: 'query', one: 'start' },
  /** What changed before a moment or an alert, the likeliest cause first. */
  changes: { call: 'GET /v2/changes', takes: 'query', one: 'time' },
} as const satisfies Calls

/** What an annotation is, as its type says. */
const CHANGE_KINDS = ['rollback', 'release', 'flag', 'configuration', 'maintenance', 'incident', 'alert', 'other'] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

/** How probably an annotation is the cause. */
export const LIKELIHOODS = ['likely', 'possible', 'unlikely'] as const

/** How a release ended, as far as its texts say so. */
const RELEASE_RESULTS = ['succeeded', 'failed', 'canceled', 'running'] as const
export type ReleaseResult = (typeof RELEASE_RESULTS)[number]

const RELEASE = object(
  {
    annotation: ANNOTATION,
    service: text('What was released: that of the annotation, and otherwise the first dataset.'),
    environment: text('Where to; `production` where nobody says.'),
    isRollback: flag(),
    isHarmful: flag('Whether the verdict is `worse` or `gone`, or the release was rolled back.'),
    ...optional({
      version: text(),
      result: oneOf(RELEASE_RESULTS, 'How the pipeline ended; absent where nobody says.'),
      duplicateOf: text('The id of the same release, which was posted or detected, too, and counts instead.'),
      rollbackOf: text('Of a rollback: the id of the release that it rolled back; of several, of the last.'),
      rolledBackBy: text('The id of the rollback of this release.'),
      fixedBy: text('Of a harmful release: the id of the first annotation after it that found what it hurt healed.'),
      restoreMs: whole('Of a release that was rolled back, or whose harm is over: the time until then, in milliseconds.'),
    }),
  },
  { description: 'An annotation whose type says so, and what follows from its texts and those of others.' },
)

const milliseconds = (description: string) =>
  schemaOf<number | null>({
    type: ['integer', 'null'],
    description: `${description}, in milliseconds; null where none is known.`,
  })

const DELIVERY = object(
  {
    service: text('Empty for all together.'),
    environment: text('Empty for all together.'),
    deployments: whole('Releases that were not failed or canceled on their way, without rollbacks.'),
    perDay: number('Deployment frequency: `deployments` a day.'),
    failed: whole('Of those, the ones that hurt, and the releases that failed on their way.'),
    attempted: whole('`deployments`, and the releases that failed on their way.'),
    failureRate: schemaOf<number | null>({
      type: ['number', 'null'],
      description: 'Change failure rate: `failed` out of `attempted`; null without any.',
    }),
    leadMs: milliseconds('Change lead time: the median from `Committed: <time>` in a description to the end of the release'),
    restoreMs: milliseconds(
      'Time to restore: the median of incidents that ended, and of releases until they were undone or fixed',
    ),
  },
  { description: 'The four metrics of DORA.' },
)

const DAY = object({
  day: text('In UTC.', { examples: ['2026-01-31'] }),
  deployments: whole(),
  failed: whole(),
  attempted: whole(),
  leadMs: milliseconds('Change lead time: the median of that day'),
  restoreMs: milliseconds('Time to restore: the median of that day'),
})

const NOTES = list(text(), 'What a reader should know, such as what is not listed.')

const ALL_RELEASES = object(
  {
    start: time(),
    end: time(),
    releases: list(RELEASE, 'The newest first; of more than 500, before others those that hurt, failed or go on.'),
    count: whole('How many releases there are, without duplicates.'),
    open: list(ANNOTATION, 'Other annotations that go on, such as incidents.'),
    total: DELIVERY,
    before: schemaOf<Delivery>({ ...DELIVERY, description: 'The total of the time before, which is as long.' }),
    delivery: list(DELIVERY, 'For each service and environment, whichever are asked for.'),
    days: list(DAY, `Until \`end\`; of more than ${RELEASE_DAYS_MAX}, the newest since the first release or incident.`),
    daysBefore: list(DAY, 'Those of the time before.'),
    notes: NOTES,
  },
  { title: 'Releases', description: 'Releases, whether they hurt, and how well delivery goes.' },
)

const CHANGE = object(
  {
    annotation: ANNOTATION,
    kind: oneOf(CHANGE_KINDS, 'What it is, as its type and title say.'),
    msBefore: whole(
      'From it, or from the end of its span, to the moment, in milliseconds; 0 within its span, negative after the moment. An open one counts from its start.',
    ),
    score: number('From 0 to 1: nearness, kind, verdict and place together; the order of the list.'),
    likelihood: oneOf(LIKELIHOODS, 'The class of the score.'),
    reason: text('What speaks for it or against it.', { examples: ['Errors doubled: 0.98 → 1.96 %, nearly all on /checkout'] }),
  },
  { description: 'An annotation that may be the cause of what is seen at the moment.' },
)

const CHANGES = object(
  {
    time: time('The moment.'),
    ...optional({ annotation: ANNOTATION }),
    start: time('The start of the searched time.'),
    end: time('Up to when.'),
    changes: list(CHANGE, 'The likeliest first, at most 50.'),
    total: whole('How many were found.'),
    notes: NOTES,
  },
  { title: 'Changes', description: 'What changed before a moment, the likeliest causes first.' },
)

const CHANGE_LIST = object(
  optional({
    time: timeParameter('The moment: RFC 3339, or relative to now, such as `now-20m`. By default now.'),
    annotation: text('The id of an annotation, such as that of an alert or an incident, in place of a time.', {
      pattern: `^$|${ANNOTATION_ID_PATTERN.source}`,
    }),
    monitor: text('The id of a monitor, whose last alert is taken.'),
    before: text('How long before the moment, at most `30d`; by default `1d`.', {
      pattern: `^$|${DURATION_PATTERN.source}`,
      examples: ['6h'],
    }),
    datasets: ANNOTATION_FILTER.datasets,
    service: ANNOTATION_FILTER.service,
    environment: ANNOTATION_FILTER.environment,
  }),
)

export const RELEASES = operations(
  RELEASE_CALLS,
  { noun: 'release', tag: 'annotations', permissions: 'annotations' },
  {
    list: {
      summary: 'Releases, and the four metrics of delivery',
      description:
        'The annotations of `[start, end]` whose type says that they are releases, by default those of 30 days until now; `notes` says if there are more than are read. A verdict is shown to who may query all datasets of its release.',
      query: byHand<unknown>(object(optional(ANNOTATION_FILTER))) as Schema<unknown, ReleaseFilter>,
      gives: ALL_RELEASES,
      answer: 'The releases, the newest first.',
      errors: [400],
    },
    changes: {
      operationId: 'listChanges',
      summary: 'What changed before a moment',
      description:
        'The annotations of all datasets around a moment, or around an alert, those first that are most probably its cause. A verdict counts for who may query all datasets of its release.',
      query: byHand<unknown>(CHANGE_LIST) as Schema<unknown, ChangeFilter>,
      gives: CHANGES,
      answer: 'The changes, the likeliest cause first.',
      errors: [400],
      errorTexts: { 404: 'There is no such annotation or monitor, or the monitor has had no alert.' },
    },
  },
)

/** By default those of all datasets and 30 days until now. */
export interface ReleaseFilter extends Omit<AnnotationFilter, 'verdict' | 'service' | 'environment'> {
  /** One or several, as the next. */
  service?: string | readonly string[]
  environment?: string | readonly string[]
}

/** The moment: at most one of `time`, `annotation` and `monitor`; by default now. */
export interface ChangeFilter extends Pick<ReleaseFilter, 'datasets' | 'service' | 'environment'> {
  /** RFC 3339, or relative to now, such as `now-20m`. */
  time?: string
  /** The id of an annotation, such as an incident. */
  annotation?: string
  /** The id of a monitor, whose last alert is taken. */
  monitor?: string
  /** How far back to look, such as `6h`; by default a day. */
  before?: string
}

export type Release = Infer<typeof RELEASE>
export type Delivery = Infer<typeof DELIVERY>
export type Releases = Infer<typeof ALL_RELEASES>
export type Change = Infer<typeof CHANGE>
export type Changes = Infer<typeof CHANGES>

/** @returns `4 min before`, `at the moment`, `2 min after` */
export function describeWhen(msBefore: number): string {
  const ms = Math.round(Math.abs(msBefore) / UNIT_MS.m) * UNIT_MS.m
  return ms === 0 ? 'at the moment' : `${formatDuration(ms)} ${msBefore > 0 ? 'before' : 'after'}`
}
export type ChangeListParameters = Infer<typeof CHANGE_LIST>

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
