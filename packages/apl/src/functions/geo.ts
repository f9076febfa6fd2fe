/**
 * Where an address is, from a database of addresses that the service keeps in the engine as two dictionaries.
 * Deliberately not here: how they come there, and what they say of a place.
 */
import type { GeoDictionaries } from '../context.ts'
import { CompileError } from '../error.ts'
import type { Binder } from '../sql.ts'
import { json } from '../value.ts'
import { type FunctionTable, special } from './definition.ts'

export const GEO_FUNCTIONS: FunctionTable = {
  geo_info_from_ip_address: special('ip:text', ({ context, call, argument }) => {
    if (!context.geo) {
      const span = { start: call.span.start, end: call.span.start + call.name.length }
      const hint = 'start the service with --geo-database <file.mmdb>, or send the place with the event, as geo.country'
      throw new CompileError(
        'unsupported',
        `${call.name}() needs a database of addresses, which this service does not have`,
        span,
        hint,
      )
    }
    return json(placeOf(argument(0).as('text'), context.geo(), context.binder), 'map[string]')
  }).shows("isnull(geo_info_from_ip_address('127.0.0.1'))", true),
}

/** Missing for a text that is no address, and for an address of which nothing is known: no place is 0, and `::` has none. */
function placeOf(ip: string, { networks, places }: GeoDictionaries, binder: Binder): string {
  const address = `toIPv6OrDefault(ifNull(${ip}, ''))`
  const place = `dictGetOrDefault(${binder.text(networks)}, 'place', ${address}, toUInt32(0))`
  return `nullIf(dictGetOrDefault(${binder.text(places)}, 'info', toUInt64(${place}), ''), '')`
}
