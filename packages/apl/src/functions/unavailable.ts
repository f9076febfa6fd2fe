/**
 * Functions that the language has and that need something this service is not given: what it is, and what to do instead.
 * Deliberately not here: names that nobody knows.
 */

interface Unavailable {
  readonly needs: string
  readonly instead: string
}

export const UNAVAILABLE_FUNCTIONS: ReadonlyMap<string, Unavailable> = new Map([
  ['geo_info_from_ip_address', { needs: 'a database of addresses', instead: 'send the place with the event, as geo.country' }],
])
