/**
 * Reads the query parameters of the list: `start`, `end`, `datasets`. Written by hand, because published clients write them
 * in ways that no schema says: repeated, empty, with the year 1, with a `+` that became a blank, `end` under the name `start`.
 */
import { DATASET_NAME_PATTERN } from '@deployment-annotations/contract/dataset'
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import {
  formatTimestamp,
  parseTimestamp,
  STORABLE_FIRST_NS,
  STORABLE_LAST_NS,
  TIMESTAMP_FORMS,
} from '@deployment-annotations/contract/timestamp'
import type { StoredFilter } from '@deployment-annotations/records/annotation-records'
import { invalid, showValue } from '@deployment-annotations/runtime/errors'
import { ZERO_TIME } from './members.ts'

/** As the URL parser returns them. */
type Query = Readonly<Record<string, string | string[] | undefined>>

/**
 * An empty parameter counts as not given. Of a repeated `start` the earliest counts, of a repeated `end` the latest: nothing
 * that any of them asked for is hidden.
 * @throws ServiceError `invalid` naming the parameter and its value
 */
export function readFilter(parameters: unknown): StoredFilter {
  const query = parameters as Query
  const startNs = readInstants('start', query.start)[0]
  const endNs = readInstants('end', query.end).at(-1)
  if (startNs !== undefined && endNs !== undefined && endNs < startNs) {
    throw invalid(
      VALIDATION_CODES.min,
      `end must not be before start, got end ${formatTimestamp(endNs)} and start ${formatTimestamp(startNs)}`,
    )
  }
  const datasets = readNames(query.datasets)
  return {
    ...(startNs !== undefined && { startNs }),
    ...(endNs !== undefined && { endNs }),
    ...(datasets.length > 0 && { datasets }),
  }
}

/** @returns the given instants, ascending. */
function readInstants(name: string, value: string | string[] | undefined): bigint[] {
  const texts = [value ?? []].flat().filter((text) => text !== '' && text !== ZERO_TIME)
  const instants = texts.map((text) => {
    // A `+` of an offset that was sent unescaped arrives as a blank.
    const ns = parseTimestamp(text) ?? parseTimestamp(text.replace(/ (?=\d\d:?\d\d$)/, '+'))
    if (ns === undefined) throw invalid(VALIDATION_CODES.pattern, `${name} must be ${TIMESTAMP_FORMS}, got ${showValue(text)}`)
    return clampInstant(ns)
  })
  return instants.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
}

/** Any year may be asked for; the store compares 64-bit nanoseconds, and nothing it holds lies outside of these. */
export function clampInstant(ns: bigint): bigint {
  if (ns < STORABLE_FIRST_NS) return STORABLE_FIRST_NS - 1n
  return ns > STORABLE_LAST_NS ? STORABLE_LAST_NS : ns
}

function readNames(value: string | string[] | undefined): string[] {
  const names = [value ?? []].flat().flatMap((text) => text.split(','))
  const given = [...new Set(names.map((name) => name.trim()).filter((name) => name !== ''))]
  for (const name of given) {
    if (!DATASET_NAME_PATTERN.test(name)) {
      throw invalid(
        VALIDATION_CODES.pattern,
        `datasets must be names that match ${DATASET_NAME_PATTERN.source}, got ${showValue(name)}`,
      )
    }
  }
  return given
}
