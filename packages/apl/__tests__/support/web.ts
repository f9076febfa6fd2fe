/** Two small datasets that the goldens and several tests read: every type, unions, nulls, nesting, equal times. Fixed for good: goldens depend on them. */
import type { Dataset } from '../../src/compile.ts'
import { type Engine, fieldsOf, type StoredEvent } from './engine.ts'
import { readGolden } from './golden.ts'

const START = 1_767_225_600_000_000_000n // 2026-01-01T00:00:00Z
const MINUTE = 60_000_000_000n

interface Golden {
  readonly minutes: number
  readonly ns: number
  readonly data: object
}
const [WEB, USERS] = (['web', 'users'] as const).map((name) =>
  readGolden<Record<'web' | 'users', readonly Golden[]>>('datasets')[name].map(
    ({ minutes, ns, data }): StoredEvent => ({ timeNs: START + BigInt(minutes) * MINUTE + BigInt(ns), data }),
  ),
) as [StoredEvent[], StoredEvent[]]

const dataset = (name: string, events: readonly StoredEvent[]): Dataset => ({
  name,
  table: `ds_${name}`,
  fields: fieldsOf(events),
})

export const web = dataset('web', WEB)
const users = dataset('users', USERS)
const datasets = new Map([web, users].map((one) => [one.name, one]))

/** What every golden is compiled with: one day, and a fixed now. */
export const options = {
  datasets,
  range: { startNs: START, endNs: START + 1440n * MINUTE },
  nowNs: START + 180n * MINUTE,
}

export async function loadAll(engine: Engine): Promise<void> {
  await engine.load(web, WEB)
  await engine.load(users, USERS)
}
