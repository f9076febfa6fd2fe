/**
 * How far one request walks through the source: the files that an annotation, an event and a query run through, counted on the running
 * service. The numbers may only shrink: lower them here when they have become smaller.
 */
import { expect, test } from '@jest/globals'
import { countTrips, type TripName } from '../../scripts/house/measure.ts'

/** The most files and functions that each may enter. */
const MOST: Readonly<Record<TripName, { files: number; functions: number }>> = {
  annotation: { files: 22, functions: 74 },
  event: { files: 48, functions: 208 },
  query: { files: 87, functions: 465 },
}
/** A timer that happens to run during a request enters a few functions of its own. */
const FUNCTIONS_BESIDE = 3

const trips = countTrips()

test.each(Object.keys(MOST) as TripName[])('one %s walks through no more files and functions than before', (name) => {
  const { files, functions } = trips[name]
  // With the files in the message, because they are what somebody who made the way longer has to look at.
  expect(files.length > MOST[name].files ? files : []).toEqual([])
  expect(functions.length).toBeLessThanOrEqual(MOST[name].functions + FUNCTIONS_BESIDE)
})
