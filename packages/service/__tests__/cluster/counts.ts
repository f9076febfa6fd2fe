/**
 * How many events a dataset has, as a query says.
 */
import { apl } from '../query/ask.ts'

/** @returns the count; rejects with the answer where there is none */
export async function countEvents(service: { url: string; token: string }, dataset: string): Promise<number> {
  const { status, text, body } = await apl(service, `['${dataset}'] | count`)
  if (status !== 200) throw new Error(`the count answered ${status} ${text}`)
  return Number(body.tables[0]?.columns[0]?.[0])
}
