/**
 * The shapes of the answer to "What changed?": annotations around a moment, the likeliest causes first.
 */
import type { Static } from 'typebox'
import { ANNOTATION_ID_PATTERN } from '../annotation.ts'
import { DURATION_PATTERN } from '../duration.ts'
import { CHANGE_KINDS } from '../release.ts'
import { AnnotationListSchema, AnnotationSchema } from './annotation.ts'
import { OneOf, refTo, TIME_OR_RELATIVE, Time } from './parts.ts'
import Type from './type.ts'

const ChangeSchema = Type.Object(
  {
    annotation: refTo(AnnotationSchema),
    kind: OneOf(CHANGE_KINDS, { description: 'What it is, as its type and title say.' }),
    msBefore: Type.Integer({
      description:
        'From it, or from the end of its span, to the moment, in milliseconds; 0 within its span, negative after the moment.',
    }),
    score: Type.Number({ description: 'From 0 to 1: nearness, kind, verdict and place together; the order of the list.' }),
    reason: Type.String({ description: 'The same in words.', examples: ['release 4m before, worse: Web errors ×2.0'] }),
  },
  { description: 'An annotation that may be the cause of what is seen at the moment.' },
)

export const ChangesSchema = Type.Object(
  {
    time: Time('The moment.'),
    annotation: Type.Optional(refTo(AnnotationSchema)),
    start: Time('The start of the searched time.'),
    end: Time('Up to when.'),
    changes: Type.Array(ChangeSchema, { description: 'The likeliest first, at most 50.' }),
    notes: Type.Array(Type.String(), { description: 'What a reader should know, such as what is not listed.' }),
  },
  { $id: 'Changes', title: 'Changes', description: 'What changed before a moment, the likeliest causes first.' },
)

const { datasets, service, environment } = AnnotationListSchema.properties
export const ChangeListSchema = Type.Object({
  time: Type.Optional(
    Type.Unsafe<string>({
      anyOf: [...TIME_OR_RELATIVE, { type: 'string', maxLength: 0 }],
      description: 'The moment: RFC 3339, or relative to now, such as `now-20m`. By default now.',
      examples: ['now-20m'],
    }),
  ),
  annotation: Type.Optional(
    Type.String({
      description: 'The id of an annotation, such as that of an alert or an incident, in place of a time.',
      pattern: `^$|${ANNOTATION_ID_PATTERN.source}`,
    }),
  ),
  monitor: Type.Optional(Type.String({ description: 'The id of a monitor, whose last alert is taken.' })),
  before: Type.Optional(
    Type.String({
      description: 'How long before the moment, at most `30d`; by default `1d`.',
      pattern: `^$|${DURATION_PATTERN.source}`,
      examples: ['6h'],
    }),
  ),
  datasets,
  service,
  environment,
})
export type ChangeListParameters = Static<typeof ChangeListSchema>

export type Change = Static<typeof ChangeSchema>
export type Changes = Static<typeof ChangesSchema>
