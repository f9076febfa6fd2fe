/**
 * The shapes of releases, of which each is an annotation, and of the four metrics of delivery.
 */
import type { Static } from 'typebox'
import { RELEASE_DAYS_MAX, RELEASE_RESULTS } from '../release.ts'
import { AnnotationListSchema, AnnotationSchema } from './annotation.ts'
import { OneOf, refTo, Time } from './parts.ts'
import Type from './type.ts'

const ReleaseSchema = Type.Object(
  {
    annotation: refTo(AnnotationSchema),
    service: Type.String({ description: 'What was released: that of the annotation, and otherwise the first dataset.' }),
    environment: Type.String({ description: 'Where to; empty where nobody says.' }),
    version: Type.Optional(Type.String()),
    result: Type.Optional(OneOf(RELEASE_RESULTS, { description: 'How the pipeline ended; absent where nobody says.' })),
    isRollback: Type.Boolean(),
    rollbackOf: Type.Optional(Type.String({ description: 'Of a rollback: the id of the release that it rolled back.' })),
    rolledBackBy: Type.Optional(Type.String({ description: 'The id of the rollback of this release.' })),
    fixedBy: Type.Optional(
      Type.String({ description: 'Of a harmful release: the id of the next release, if that made it better.' }),
    ),
    isHarmful: Type.Boolean({ description: 'Whether the verdict is `worse` or `gone`, or the release was rolled back.' }),
    restoreMs: Type.Optional(
      Type.Integer({ description: 'Of a release that was rolled back or fixed: the time until then, in milliseconds.' }),
    ),
  },
  { description: 'An annotation whose type says so, and what follows from its texts and those of others.' },
)

const Milliseconds = (description: string) =>
  Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: `${description}, in milliseconds; null where none is known.`,
  })

const DeliverySchema = Type.Object(
  {
    service: Type.String({ description: 'Empty for all together.' }),
    environment: Type.String({ description: 'Empty where nobody says, and for all together.' }),
    deployments: Type.Integer({ description: 'Releases that were not failed or canceled on their way, without rollbacks.' }),
    perDay: Type.Number({ description: 'Deployment frequency: `deployments` a day.' }),
    failed: Type.Integer({ description: 'Of those, the ones that hurt, and the releases that failed on their way.' }),
    failureRate: Type.Unsafe<number | null>({
      type: ['number', 'null'],
      description: 'Change failure rate: `failed` out of all that were not canceled; null without any.',
    }),
    leadMs: Milliseconds('Change lead time: the median from `Committed: <time>` in a description to the end of the release'),
    restoreMs: Milliseconds(
      'Time to restore: the median of incidents that ended, and of releases until they were undone or fixed',
    ),
  },
  { description: 'The four metrics of DORA.' },
)

const DaySchema = Type.Object({
  day: Type.String({ description: 'In UTC.', examples: ['2026-01-31'] }),
  deployments: Type.Integer(),
  failed: Type.Integer(),
  leadMs: Milliseconds('Change lead time: the median of that day'),
  restoreMs: Milliseconds('Time to restore: the median of that day'),
})

export const ReleasesSchema = Type.Object(
  {
    start: Time(),
    end: Time(),
    releases: Type.Array(ReleaseSchema, { description: 'The newest first.' }),
    open: Type.Array(refTo(AnnotationSchema), { description: 'Other annotations that go on, such as incidents.' }),
    total: DeliverySchema,
    delivery: Type.Array(DeliverySchema, { description: 'For each service and environment, whichever are asked for.' }),
    days: Type.Array(DaySchema, {
      description: `The days from \`start\` to \`end\`. Of more than ${RELEASE_DAYS_MAX}, the newest: from the first release or incident until today.`,
    }),
    notes: Type.Array(Type.String(), { description: 'What a reader should know, such as what is not listed.' }),
  },
  { $id: 'Releases', title: 'Releases', description: 'Releases, whether they hurt, and how well delivery goes.' },
)

const { start, end, datasets, service, environment, version, tag } = AnnotationListSchema.properties
export const ReleaseListSchema = Type.Object({ start, end, datasets, service, environment, version, tag })
export type ReleaseListParameters = Static<typeof ReleaseListSchema>

export type Release = Static<typeof ReleaseSchema>
export type Delivery = Static<typeof DeliverySchema>
export type Releases = Static<typeof ReleasesSchema>
