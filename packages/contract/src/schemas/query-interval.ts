/**
 * What a query text and a legacy query have in common: the interval, the cursor and an order. Described for the document and for callers;
 * the service reads them in code.
 */
import { orNull, TIME_OR_RELATIVE } from './parts.ts'
import Type from './type.ts'

/** Empty counts as not given. */
const Instant = (description: string) =>
  Type.Optional(
    Type.Unsafe<string>({
      description,
      anyOf: [...TIME_OR_RELATIVE, { type: 'string', maxLength: 0 }, { type: 'null' }],
    }),
  )

const Cursor = Type.String({
  description: '`status.minCursor`, `status.maxCursor` or a `_rowId` of an earlier answer: the page begins after that row.',
})
const NotEmpty = Type.String({ minLength: 1 })
export const Order = Type.Object({ field: NotEmpty, desc: Type.Boolean() })

export const INTERVAL = {
  /** RFC 3339, or `now`, `now-1h`, `now-1d` … */
  startTime: Instant('RFC 3339, or `now`, `now-1h`, `now-1d` (s m h d w). Included.'),
  endTime: Instant('In the same forms. Not included.'),
  cursor: Type.Optional(orNull(Cursor)),
  /** The row of the cursor itself comes too. */
  includeCursor: Type.Optional(
    orNull(Type.Boolean({ description: 'Whether the page begins with the row of the cursor itself.' })),
  ),
  countMatches: Type.Optional(
    orNull(
      Type.Boolean({
        description:
          '`false`: the answer need not say how many rows match, so that a filtered page costs the same however many there are.',
      }),
    ),
  ),
} as const
