/**
 * Places of rows as text: 13 base-36 digits of the row's time in nanoseconds (two's complement before 1970), then the row's number
 * in hex. Opaque to callers. Deliberately not here: reading them, which is the service's.
 */

/** A row's place in its dataset: rows are ordered by time, then by number. */
export interface RowPlace {
  timeNs: bigint
  row: bigint
}

export const TIME_DIGITS = 13
export const ROW_DIGITS = 16

export function formatRowId({ timeNs, row }: RowPlace): string {
  const time = BigInt.asUintN(64, timeNs).toString(36).padStart(TIME_DIGITS, '0')
  return time + row.toString(16).padStart(ROW_DIGITS, '0')
}
