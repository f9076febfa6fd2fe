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
const SQL: Unavailable = {
  needs: 'a parser of SQL',
  instead: "extract() finds a part of a text: extract('from ([a-z_]+)', 1, tolower(query))",
}

export const UNAVAILABLE_FUNCTIONS: ReadonlyMap<string, Unavailable> = new Map([
  ['genai_cost', PRICES],
  ['genai_input_cost', PRICES],
  ['genai_output_cost', PRICES],
  ['genai_get_pricing', PRICES],
  ['phrases', { needs: 'a finder of phrases', instead: 'topk() counts whole texts, and mv-expand with split() words' }],
  ['spotlight', { needs: 'a chart of differences', instead: 'compare by hand: summarize countif(condition), count() by field' }],
  ['parse_sql', SQL],
  ['format_sql', SQL],
])
