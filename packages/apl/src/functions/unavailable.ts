/**
 * Functions that the language has and that need something this service is not given: what it is, and what to do instead.
 * Deliberately not here: names that nobody knows.
 */

interface Unavailable {
  readonly needs: string
  readonly instead: string
}

const PRICES: Unavailable = {
  needs: 'a list of what models cost',
  instead: 'compute it from the tokens: (input * 2.5 + output * 10.0) / 1000000',
}
export const UNAVAILABLE_FUNCTIONS: ReadonlyMap<string, Unavailable> = new Map([
  ['genai_cost', PRICES],
  ['genai_input_cost', PRICES],
  ['genai_output_cost', PRICES],
  ['genai_get_pricing', PRICES],
  ['geo_info_from_ip_address', { needs: 'a database of addresses', instead: 'send the place with the event, as geo.country' }],
])
