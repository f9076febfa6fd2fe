/**
 * What the engine says of a query that met a limit, values that it cannot work with, or a server that is away, as answers.
 * Anything else of the engine is our mistake and stays `internal`.
 */
import { ServiceError } from '@deployment-annotations/runtime/errors'
import { describeFailure, engineCode } from '../engine/engine-failures.ts'
import type { ReadLimits } from './reader.ts'

/** What a caller can do about, by the engine's number of it. */
const LIMITS: Record<string, (limits: ReadLimits) => ServiceError> = {
  // TIMEOUT_EXCEEDED, TOO_SLOW
  159: ({ msMax }) => tooLong(msMax),
  160: ({ msMax }) => tooLong(msMax),
  // MEMORY_LIMIT_EXCEEDED; SET_SIZE_LIMIT_EXCEEDED and LIMIT_EXCEEDED, of a join whose one key has too many rows for it.
  241: (limits) => tooMuchMemory(limits),
  191: (limits) => tooMuchMemory(limits),
  290: (limits) => tooMuchMemory(limits),
  // TOO_MANY_ROWS
  158: ({ rowsExaminedMax }) =>
    tooLarge(`the query would look at more than ${rowsExaminedMax} rows; ask for a shorter time or filter by time`),
  // TOO_MANY_ROWS_OR_BYTES, TOO_MANY_BYTES
  396: ({ resultBytesMax }) => tooManyBytes(resultBytesMax),
  307: ({ resultBytesMax }) => tooManyBytes(resultBytesMax),
  // TOO_DEEP_AST, TOO_BIG_AST
  167: () => tooIntricate(),
  168: () => tooIntricate(),
  // UNKNOWN_TABLE: between the look into the catalogue and the read.
  60: () => new ServiceError('not_found', 'the dataset was not found: it was deleted while it was queried'),
  // QUERY_WAS_CANCELLED
  394: () => new ServiceError('overloaded', 'the query was stopped before it was done'),
}

/** CANNOT_CONVERT_TYPE, which is an overflow where a calculation in 128 bits is to become an integer of 64. */
const CANNOT_CONVERT = '70'

/** The engine's numbers for values that an expression cannot take: they depend on the data, so no compiler finds them. */
const VALUE_ERRORS = new Set(['36', '43', '53', '69', '70', '72', '153', '386', '407', '427', '190', '131', '128'])

/**
 * @param name of the engine, for messages
 * @returns the error to answer with; errors that are not the engine's come back as they are
 */
export function describeEngineError(error: unknown, limits: ReadLimits, name: string): unknown {
  if (error instanceof ServiceError) return error
  const code = engineCode(error) ?? ''
  // The number is that of an answer which is too large.
  if (String(error).includes('temporary files size')) return tooMuchMemory(limits)
  // Of the engine as a whole: others use it now.
  if (String(error).includes('(total) memory limit exceeded'))
    return new ServiceError(
      'overloaded',
      'the service has too little memory for this query now; send it again, or ask for less',
      {
        cause: error,
      },
    )
  const known = LIMITS[code]?.(limits)
  if (known) return known
  if (code === CANNOT_CONVERT && String(error).includes('Int128'))
    return new ServiceError('query', 'an integer in the result needs more than 64 bits; calculate with toreal(x) instead of x', {
      detail: { errorType: 'type_mismatch', line: 1, column: 1, message: 'an integer needs more than 64 bits' },
      cause: error,
    })
  if (VALUE_ERRORS.has(code)) {
    return new ServiceError('query', `the query runs into values that it cannot work with (error ${code} of the engine)`, {
      detail: { errorType: 'type_mismatch', line: 1, column: 1, message: `error ${code} of the engine` },
      cause: error,
    })
  }
  return describeFailure(error, { kind: 'read', name })
}

function tooLong(msMax: number): ServiceError {
  return new ServiceError(
    'query_timeout',
    `the query took longer than ${msMax / 1_000} s and was stopped; ask for a shorter time, filter more, or page with a limit and a cursor`,
  )
}

function tooMuchMemory({ memoryBytesMax }: ReadLimits): ServiceError {
  const mib = Math.floor(memoryBytesMax / 1_048_576)
  return tooLarge(`the query needs more than ${mib} MiB of memory; group by fewer values, or ask for a shorter time`)
}

function tooLarge(message: string): ServiceError {
  return new ServiceError('query_too_large', message)
}

function tooIntricate(): ServiceError {
  return tooLarge('the query is too large when it is compiled; nest fewer functions, or compute parts of it with extend')
}

/** The error of an answer that has more bytes than one may have. */
export function tooManyBytes(resultBytesMax: number): ServiceError {
  return tooLarge(
    `the answer would be larger than ${resultBytesMax / 1_048_576} MiB; use a smaller limit and a cursor, or project fewer fields`,
  )
}
