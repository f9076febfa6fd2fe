/**
 * What `geo_info_from_ip_address` answers of a place, of a record as MaxMind's databases of cities and countries have them, and
 * those of others that keep to their form. Names are the English ones.
 */

/** The function's documented members. A text that is not known is empty; a number that is not known is left out. */
interface PlaceInfo {
  city: string
  country: string
  country_iso: string
  latitude?: number
  longitude?: number
  state: string
  time_zone: string
}

export function describePlace(record: unknown): PlaceInfo {
  const country = member(record, 'country') ?? member(record, 'registered_country')
  const location = member(record, 'location')
  const [latitude, longitude] = [member(location, 'latitude'), member(location, 'longitude')]
  const divisions = member(record, 'subdivisions')
  return {
    city: nameOf(member(record, 'city')),
    country: nameOf(country),
    country_iso: textOf(member(country, 'iso_code')),
    ...(typeof latitude === 'number' && { latitude }),
    ...(typeof longitude === 'number' && { longitude }),
    state: nameOf(Array.isArray(divisions) ? divisions[0] : undefined),
    time_zone: textOf(member(location, 'time_zone')),
  }
}

const nameOf = (place: unknown) => textOf(member(member(place, 'names'), 'en'))
const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}
