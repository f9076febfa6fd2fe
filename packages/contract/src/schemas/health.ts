/**
 * The health of the service as a schema: a service that cannot be used has none, and answers with an error.
 */
import type { Static } from 'typebox'
import { OneOf } from './parts.ts'
import Type from './type.ts'

const StatusSchema = OneOf(['ok', 'degraded'], {
  description: 'degraded: something does not work or is about to, as the messages say; all else works.',
})

export const HealthSchema = Type.Object({
  status: StatusSchema,
  parts: Type.Array(
    Type.Object({
      name: Type.String({ description: 'records, events, integrity, data, disk, fileHandles, clock, requests' }),
      status: StatusSchema,
      message: Type.Optional(Type.String({ description: 'What is wrong.' })),
    }),
    { description: 'What was judged.' },
  ),
  damagedDatasets: Type.Optional(
    Type.Array(Type.String(), { description: 'Names of the datasets whose events are missing, all or some.' }),
  ),
})

/** The answer of a probe; one that is not well has none. */
export const ProbeSchema = Type.Object({ status: OneOf(['ok'], { description: 'Always ok.' }) })

export type Health = Static<typeof HealthSchema>
