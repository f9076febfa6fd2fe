/**
 * What calls of models cost. The prices are those that the public documentation prints, and what the query gives itself:
 * `let genai_prices = dynamic({"a-model": [2.5, 10]});`, dollars for a million tokens of input and of output. The cost of a model
 * without a price is missing.
 * Deliberately not here: a list of current prices; one that is out of date makes wrong sums.
 */
import type { Context } from '../context.ts'
import { CompileError } from '../error.ts'
import { json, realOf, typed, type Value } from '../value.ts'
import { type FunctionTable, type Invocation, special } from './definition.ts'

type Prices = Readonly<Record<string, readonly [input: number, output: number]>>

const DOCUMENTED: Prices = { 'gpt-3.5-turbo': [0.5, 1.5], 'gpt-4': [30, 60] }
/** The `let` of a query that gives prices. */
const GIVEN = 'genai_prices'

/** @throws CompileError where the query's own prices are none */
function pricesOf(context: Context, { call }: Pick<Invocation, 'call'>): Prices {
  const given = context.lets.get(GIVEN)
  if (!given) {
    context.warn(
      'missing_prices',
      `${call.name}() knows the prices of ${Object.keys(DOCUMENTED).join(' and ')} only; give others with let ${GIVEN} = dynamic({"model": [2.5, 10]});`,
    )
    return DOCUMENTED
  }
  const prices: unknown = given.literal?.type === 'dynamic' ? JSON.parse(given.literal.json) : undefined
  if (arePrices(prices)) return { ...DOCUMENTED, ...inSmallLetters(prices) }
  throw new CompileError(
    'type_mismatch',
    `${GIVEN} is an object of models, each with two numbers: dollars for a million tokens of input and of output`,
    call.span,
    `write let ${GIVEN} = dynamic({"a-model": [2.5, 10]});`,
  )
}

const inSmallLetters = (prices: Prices): Prices =>
  Object.fromEntries(Object.entries(prices).map(([name, pair]) => [name.toLowerCase(), pair]))

const arePrices = (value: unknown): value is Prices =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every(
    (pair) => Array.isArray(pair) && pair.length === 2 && pair.every((price) => typeof price === 'number'),
  )

/** The price of a model, or NULL. */
function priceOf(model: Value, prices: Prices, which: 0 | 1, { binder }: Context): string {
  const names = binder.texts(Object.keys(prices))
  const amounts = Object.values(prices).map((pair) => binder.real(pair[which]))
  return `transform(lower(ifNull(${model.as('text')}, '')), ${names}, [${amounts.join(', ')}], CAST(NULL, 'Nullable(Float64)'))`
}

/** Dollars for tokens, of which there are two kinds. */
const cost = (signature: string, kinds: readonly (0 | 1)[]) =>
  special(signature, (invocation) => {
    const { context } = invocation
    const [model, ...tokens] = invocation.arguments as [Value, ...Value[]]
    const prices = pricesOf(context, invocation)
    const parts = kinds.map((kind, at) => `${realOf(tokens[at] as Value)} * ${priceOf(model, prices, kind, context)}`)
    return typed('real', `(${parts.join(' + ')}) / 1000000`)
  })

export const GENAI_COST_FUNCTIONS: FunctionTable = {
  genai_cost: cost('model:text input_tokens:number output_tokens:number', [0, 1]).shows("genai_cost('gpt-4', 1000, 2000)", 0.15),
  genai_input_cost: cost('model:text input_tokens:number', [0]).shows("genai_input_cost('gpt-4', 1000)", 0.03),
  genai_output_cost: cost('model:text output_tokens:number', [1]).shows("genai_output_cost('gpt-4', 1000)", 0.06),
  genai_get_pricing: special('model:text', (invocation) => {
    const { context } = invocation
    const prices = pricesOf(context, invocation)
    const [input, output] = ([0, 1] as const).map((which) => priceOf(invocation.argument(0), prices, which, context))
    return json(
      `if(isNull(${input}), NULL, concat('{"input_price_per_million":', toString(${input}), ',"output_price_per_million":', toString(${output}), '}'))`,
      'map[string]',
    )
  }).shows("genai_get_pricing('gpt-4')", { input_price_per_million: 30, output_price_per_million: 60 }),
}
