/**
 * Translates the engine's errors about limits, unsuitable values and unavailable servers into errors for the caller of a query. Any
 * other error of the engine is a mistake in this program and stays `internal`.
 */
import { ServiceError } from '@deployment-annotations/runtime/errors'
import { describeFailure, engineCode } from '../engine/engine-failures.ts'
import type { ReadLimits } from './reader.ts'

type Describe = (limits: ReadLimits, cause: unknown) => ServiceError

/**
 * The errors that a caller can do something about, by the engine's code: limits first, and then values that an expression cannot take,
 * which depend on the data, so the compiler cannot find them.
 */
const ERRORS: Readonly<Record<string, Describe>> = {
  // TIMEOUT_EXCEEDED, TOO_SLOW
  159: ({ msMax }) => tooLong(msMax),
  160: ({ msMax }) => tooLong(msMax),
  // MEMORY_LIMIT_EXCEEDED; SET_SIZE_LIMIT_EXCEEDED and LIMIT_EXCEEDED occur in a join with too many rows for one key.
  241: tooMuchMemory,
  191: tooMuchMemory,
  290: tooMuchMemory,
  // TOO_MANY_ROWS
  158: ({ rowsExaminedMax }) =>
    tooLarge(`the query would look at more than ${rowsExaminedMax} rows; ask for a shorter time or filter by time`),
  // TOO_MANY_ROWS_OR_BYTES, TOO_MANY_BYTES
  396: ({ resultBytesMax }) => tooManyBytes(resultBytesMax),
  307: ({ resultBytesMax }) => tooManyBytes(resultBytesMax),
  // TOO_DEEP_AST, TOO_BIG_AST
  167: tooIntricate,
  168: tooIntricate,
  // FUNCTION_THROW_IF_VALUE_IS_NON_ZERO, which only make-series calls, where it has no ends.
  395: () => tooLarge('a series would have more steps than one may have; say from and to, or take a longer step'),
  // QUERY_WAS_CANCELLED
  394: () => new ServiceError('overloaded', 'the query was stopped before it was done'),
  // BAD_ARGUMENTS, ILLEGAL_TYPE_OF_ARGUMENT, TYPE_MISMATCH, NO_COMMON_TYPE
  36: unsuitable('a function is given a value that it cannot work with'),
  43: unsuitable('a function is given a value of another type than it takes'),
  53: unsuitable('values of types that do not go together are compared or combined'),
  386: unsuitable('values of types that do not go together are compared or combined'),
  // ARGUMENT_OUT_OF_BOUND, CANNOT_CONVERT_TYPE, CANNOT_PARSE_NUMBER
  69: unsuitable('a number is outside of what a function takes'),
  70: unsuitable('a number does not fit the type that it is converted to'),
  72: unsuitable('a text that is no number is read as one'),
  // ILLEGAL_DIVISION
  153: unsuitable('a whole number is divided by zero'),
  // DECIMAL_OVERFLOW, CANNOT_COMPILE_REGEXP, SIZES_OF_ARRAYS_DOESNT_MATCH
  407: unsuitable('a number is too large to calculate with'),
  427: unsuitable('a regular expression cannot be read'),
  190: unsuitable('arrays of different lengths are combined'),
  // TOO_LARGE_STRING_SIZE, TOO_LARGE_ARRAY_SIZE
  131: unsuitable('a text becomes longer than a text can be'),
  128: unsuitable('an array or a text becomes larger than it can be'),
}

/** CANNOT_CONVERT_TYPE is an overflow if a calculation in 128 bits is converted to an integer of 64. */
const CANNOT_CONVERT = '70'
const OVERFLOW = unsuitable(
  'an integer needs more than 64 bits',
  'an integer in the result needs more than 64 bits; calculate with toreal(x) instead of x',
)

/**
 * The engine's codes for files that are not as it wrote them: CANNOT_READ_ALL_DATA, CHECKSUM_DOESNT_MATCH,
 * BAD_SIZE_OF_FILE_IN_DATA_PART, FILE_DOESNT_EXIST, NO_FILE_IN_DATA_PART, UNEXPECTED_FILE_IN_DATA_PART, CORRUPTED_DATA,
 * CANNOT_DECOMPRESS, UNKNOWN_CODEC, INCORRECT_FILE_NAME
 */
const DAMAGE = new Set('33 40 100 107 226 232 246 271 432 76 79 228'.split(' '))
/** LOGICAL_ERROR is damage if the engine meets it in a part: of some of its files it has no checksums. */
const LOGICAL_ERROR = '49'

/** The engine does not say in which file of an index of words it came upon CORRUPTED_DATA. */
const CORRUPTED_DATA = '246'

/**
 * @param sql what was asked: of damage that the engine gives no place for, it names the table if it reads one alone
 * @returns the table and the place that the engine's text names; `undefined` if this is no damage of a table
 */
export function findDamage(error: unknown, sql = ''): { table: string | undefined; path: string } | undefined {
  const [code = '', text] = [engineCode(error), String(error)]
  if (!DAMAGE.has(code) && !(code === LOGICAL_ERROR && text.includes('while reading from part'))) return undefined
  const table = /\b(events_[a-z0-9]{8,40})(?:_local)?\b/.exec(text)?.[1]
  const path = /(?<!\S)[^\s/]*(\/\S*\/store\/[^\s:,)]+)/.exec(text)?.[1] ?? table
  if (path !== undefined) return { table, path }
  const [asked, ...others] = new Set(sql.match(/\bevents_[a-z0-9]{8,40}/g))
  return code === CORRUPTED_DATA && asked !== undefined && others.length === 0 ? { table: asked, path: asked } : undefined
}

/**
 * @param name of the engine, for messages
 * @returns the error to answer with; damage of a table, and errors that are not the engine's, are returned unchanged
 */
export function describeEngineError(error: unknown, limits: ReadLimits, name: string): unknown {
  if (error instanceof ServiceError || findDamage(error)) return error
  const code = engineCode(error) ?? ''
  // This code also stands for an answer that is too large.
  if (String(error).includes('temporary files size')) return tooMuchMemory(limits)
  // The engine as a whole has reached its limit, because of other queries.
  if (String(error).includes('(total) memory limit exceeded')) {
    const message = 'the service has too little memory for this query now; send it again, or ask for less'
    return new ServiceError('overloaded', message, { cause: error })
  }
  const isOverflow = code === CANNOT_CONVERT && String(error).includes('Int128')
  const describe = isOverflow ? OVERFLOW : ERRORS[code]
  return describe ? describe(limits, error) : describeFailure(error, { kind: 'read', name })
}

function unsuitable(message: string, text = `the query runs into values that it cannot work with: ${message}`): Describe {
  return (_, cause) =>
    new ServiceError('query', text, { detail: { errorType: 'type_mismatch', line: 1, column: 1, message }, cause })
}

/** @returns the error for a query that takes longer than it may */
export function tooLong(msMax: number): ServiceError {
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

/** @returns the error for an answer above the limit of bytes */
export function tooManyBytes(resultBytesMax: number): ServiceError {
  return tooLarge(
    `the answer would be larger than ${resultBytesMax / 1_048_576} MiB; use a smaller limit and a cursor, or project fewer fields`,
  )
}
