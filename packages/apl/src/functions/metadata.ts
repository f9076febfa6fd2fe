/**
 * Functions about the query itself and about when events came.
 * Deliberately not here: questions about fields; see `conversion.ts`.
 */
import { mismatch } from '../error.ts'
import { formatRowId } from '../sql/row-id.ts'
import { type FunctionTable, special } from './definition.ts'

export const METADATA_FUNCTIONS: FunctionTable = {
  // The place behind every event up to the time of the query.
  cursor_current: special('', ({ context }) =>
    context.literal({ type: 'string', value: formatRowId({ timeNs: context.nowNs, row: 0n }) }),
  ).shows('strlen(cursor_current()) > 0', true),
  ingestion_time: special('', ({ scope, call }) => {
    const time = scope.find('_sysTime')
    if (time) return time
    throw mismatch(
      'ingestion_time() needs the field _sysTime of the events, which is not there any more',
      call.span,
      'write | extend ingested = ingestion_time() before summarize or project',
    )
  }).shows('isnotnull(ingestion_time())', true),
}
