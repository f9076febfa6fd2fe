/**
 * The shapes of datasets as schemas. How `retentionDays` and `useRetentionPeriod` go together is checked in code, and documented here.
 */

import { DURATION_PATTERN } from '../duration.ts'
import { DATASET_DESCRIPTION_POINTS_MAX, RETENTION_DAYS_MAX } from '../rules/dataset.ts'
import { DatasetName, DOCUMENTED, orNull, Time } from './parts.ts'
import Type from './type.ts'

export const DatasetSchema = Type.Object(
  {
    id: Type.String({ description: 'The name.' }),
    name: Type.String(),
    description: Type.String(),
    /** RFC 3339. */
    created: Time(),
    updatedAt: Time(),
    who: Type.String({ description: 'Id of the token that created it.' }),
    kind: Type.String(),
    /** 0: events are kept forever. */
    retentionDays: Type.Integer({ description: 'Days that events are kept; 0 keeps them forever.' }),
    useRetentionPeriod: Type.Boolean(),
  },
  { $id: 'Dataset', title: 'Dataset', additionalProperties: false },
)

const CHANGEABLE = {
  description: Type.Optional(orNull(Type.String({ maxLength: DATASET_DESCRIPTION_POINTS_MAX }))),
  /** How long events are kept, with `useRetentionPeriod`. */
  retentionDays: Type.Optional(orNull(Type.Integer({ description: 'Days that events are kept; 0 keeps them forever.' }))),
  useRetentionPeriod: Type.Optional(orNull(Type.Boolean({ description: 'false keeps events forever.' }))),
} as const

const days = (minimum: number, ...other: 'null'[]) => ({ type: ['integer', ...other], minimum, maximum: RETENTION_DAYS_MAX })

const RETENTION = {
  [DOCUMENTED]: {
    anyOf: [
      {
        title: 'Kept forever',
        properties: { useRetentionPeriod: { enum: [false] } },
        required: ['useRetentionPeriod'],
      },
      {
        title: 'Kept for a number of days',
        properties: { useRetentionPeriod: { enum: [true] }, retentionDays: days(1) },
        required: ['useRetentionPeriod', 'retentionDays'],
      },
      {
        title: 'As retentionDays says',
        properties: { useRetentionPeriod: { type: 'null' }, retentionDays: days(0, 'null') },
      },
    ],
  },
}

export const NewDatasetSchema = Type.Object({ name: DatasetName, ...CHANGEABLE }, { title: 'NewDataset', ...RETENTION })

export const DatasetChangeSchema = Type.Object(CHANGEABLE, { title: 'DatasetChange', ...RETENTION })

export const TrimSchema = Type.Object({
  maxDuration: Type.String({
    description: 'Events older than this are removed, for example `720h` or `1h30m`.',
    [DOCUMENTED]: { pattern: DURATION_PATTERN.source },
  }),
})

export const FieldSchema = Type.Object({
  /** Dotted for nested objects; a dot within a key is `\.`. */
  name: Type.String({ description: 'Dotted for nested objects; a dot within a key is `\\.`.' }),
  /** `integer`, `string` and so on; several are joined by `|`. */
  type: Type.String({ description: '`integer`, `string` and so on; several are joined by `|`.' }),
  unit: Type.String(),
  hidden: Type.Boolean(),
  description: Type.String(),
})
