/**
 * Where a query matches nothing: which of the fields it names no event of its range has, so that a field of another time does not look
 * like no data.
 */
import type { Plan, Statement } from '@deployment-annotations/apl/plan'

/** @param read the number that a statement answers */
export async function withAbsentFields(
  plan: Plan,
  rowsMatched: number | undefined,
  read: (statement: Statement) => Promise<number>,
): Promise<Plan> {
  const presence = rowsMatched === 0 ? plan.presence() : undefined
  if (!presence) return plan
  const seen = await read(presence)
  const absent = presence.fields.filter((_, at) => Math.floor(seen / 2 ** at) % 2 === 0)
  const text = (field: string) =>
    `no event of the time range has the field "${field}": take a longer range, or look for its name with | getschema`
  return {
    ...plan,
    messages: [...plan.messages, ...absent.map((field) => ({ code: 'unknown_field' as const, text: text(field) }))],
  }
}
