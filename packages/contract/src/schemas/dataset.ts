/**
 * The shapes of datasets as schemas and types. How `retentionDays` and `useRetentionPeriod` go together is checked in code, and
 * documented here.
 */
import type { Static } from 'typebox'
import {
  DATASET_DESCRIPTION_POINTS_MAX,
  DATASET_KINDS,
  EDGE_DEPLOYMENT_LENGTH_MAX,
  MAP_FIELD_LENGTH_MAX,
  MAP_FIELD_PATTERN,
  MAP_FIELDS_MAX,
  RETENTION_DAYS_MAX,
} from '../dataset.ts'
import { DURATION_PATTERN } from '../duration.ts'
import { closed, DatasetName, DatasetNameParams, DOCUMENTED, has, OneOf, sent, Time, when } from './parts.ts'
import Type from './type.ts'

export const DatasetSchema = closed(
  {
    id: Type.String({ description: 'The name.' }),
    name: Type.String(),
    description: Type.String(),
    /** RFC 3339. */
    created: Time(),
    updatedAt: Time(),
    who: Type.String({ description: 'Id of the token that created it.' }),
    kind: OneOf(DATASET_KINDS),
    canWrite: Type.Boolean({ description: 'Whether the token that asks may send events.' }),
    mapFields: Type.Array(Type.String()),
    edgeDeployment: Type.Optional(Type.String({ description: 'As it was given; all events are stored here.' })),
    retentionDays: Type.Integer({ description: 'Days that events are kept; 0 keeps them forever.' }),
    useRetentionPeriod: Type.Boolean(),
  },
  { $id: 'Dataset', title: 'Dataset' },
)

const CHANGEABLE = sent({
  description: Type.String({ maxLength: DATASET_DESCRIPTION_POINTS_MAX }),
  /** How long events are kept, with `useRetentionPeriod`. */
  retentionDays: Type.Integer({ description: 'Days that events are kept; 0 keeps them forever.' }),
  useRetentionPeriod: Type.Boolean({ description: 'false keeps events forever.' }),
})

const days = (minimum: number, ...other: 'null'[]) => ({ type: ['integer', ...other], minimum, maximum: RETENTION_DAYS_MAX })
const periodIs = (value: boolean) => has({ useRetentionPeriod: { enum: [value] } })

const RETENTION = {
  [DOCUMENTED]: when(
    periodIs(true),
    has({ retentionDays: days(1) }),
    when(periodIs(false), {}, { properties: { retentionDays: days(0, 'null') } }),
  ),
}

export const NewDatasetSchema = Type.Object(
  {
    name: DatasetName,
    ...sent({
      kind: OneOf(DATASET_KINDS, { description: 'Kept and shown; all kinds hold events in the same way.' }),
      edgeDeployment: Type.String({
        maxLength: EDGE_DEPLOYMENT_LENGTH_MAX,
        description: 'Kept and shown; all events are stored here.',
      }),
    }),
    ...CHANGEABLE,
  },
  { title: 'DatasetCreate', ...RETENTION },
)

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

export const DatasetFieldsSchema = Type.Object({ datasetName: Type.String(), fields: Type.Array(FieldSchema) })

export const DatasetInfoSchema = Type.Object({
  name: Type.String(),
  numEvents: Type.Integer(),
  numFields: Type.Integer(),
  inputBytes: Type.Integer({ description: 'What the events take up uncompressed; 0 on a cluster, which does not tell.' }),
  compressedBytes: Type.Integer({ description: 'On disk; 0 on a cluster, which does not tell.' }),
  minTime: Type.Optional(Time('Of the oldest event; absent where there is none.')),
  maxTime: Type.Optional(Time('Of the newest event.')),
  created: Time(),
  who: Type.String({ description: 'Id of the token that created it.' }),
  fields: Type.Array(FieldSchema),
})

const MapField = Type.String({ minLength: 1, maxLength: MAP_FIELD_LENGTH_MAX, pattern: MAP_FIELD_PATTERN.source })

export const NewMapFieldSchema = Type.Object({ name: MapField }, { $id: 'MapField', title: 'MapField' })

export const MapFieldsSchema = Type.Array(MapField, { maxItems: MAP_FIELDS_MAX })

export const MapFieldParams = Type.Object({
  ...DatasetNameParams.properties,
  field: Type.String({ description: 'Name of the map field.', [DOCUMENTED]: { maxLength: 200 } }),
})

/** Events are stored in datasets, each with its own fields. */
export type Dataset = Static<typeof DatasetSchema>

export type NewDataset = Static<typeof NewDatasetSchema>

/** The members to change; the others keep their values. */
export type DatasetChange = Static<typeof DatasetChangeSchema>

/** A field with the types seen in it. */
export type DatasetField = Static<typeof FieldSchema>

/** The fields of one of all datasets. */
export type DatasetFields = Static<typeof DatasetFieldsSchema>

/** How much there is in a dataset, and its fields. */
export type DatasetInfo = Static<typeof DatasetInfoSchema>
