/** Two small datasets that the goldens and several tests read: every type, unions, nulls, nesting, equal times. Fixed for good: goldens depend on them. */
import type { Dataset } from '../../src/compile.ts'
import { type Engine, fieldsOf, type StoredEvent } from './engine.ts'

const START = 1_767_225_600_000_000_000n // 2026-01-01T00:00:00Z
const MINUTE = 60_000_000_000n

const at = (minutes: number, ns: bigint, data: object): StoredEvent => ({ timeNs: START + BigInt(minutes) * MINUTE + ns, data })

const WEB: readonly StoredEvent[] = [
  at(0, 1n, {
    id: 'a1',
    method: 'GET',
    path: '/api/users/1',
    status: 200,
    duration: 12.5,
    ok: true,
    geo: { city: 'Oslo', country: 'NO' },
    tags: ['fast', 'eu'],
    code: 7,
    ip: '10.1.2.3',
    extra: '{"plan":"pro","seats":[1,2,3]}',
  }),
  at(0, 1n, {
    id: 'a2',
    method: 'POST',
    path: '/api/users',
    status: 500,
    duration: 250,
    ok: false,
    geo: { city: 'Rome', country: 'IT' },
    tags: ['slow'],
    code: '7',
    ip: '8.8.8.8',
    error: { message: "can't connect", codes: [502, 'x'] },
  }),
  at(10, 0n, {
    id: 'a3',
    method: 'GET',
    path: '/Home?q=1&q=2',
    status: 404,
    duration: 3,
    ok: true,
    geo: { city: 'Oslo', country: 'NO' },
    tags: [],
    code: 8,
    when: '2026-01-01T05:00:00Z',
  }),
  at(65, 5n, {
    id: 'a4',
    method: 'PUT',
    path: 'http://user@example.com:8080/p/x?a=b#frag',
    status: 200,
    duration: 90.25,
    geo: { country: 'PT' },
    tags: [1, 'mixed', null, { k: 'v' }],
    code: true,
  }),
  at(65, 5n, {
    id: 'a5',
    method: 'GET',
    path: '  padded  ',
    status: 503,
    duration: 1000,
    ok: false,
    geo: { city: 'São Paulo', country: 'BR' },
    big: 2 ** 53,
    code: null,
    size: 1536,
  }),
  at(130, 0n, {
    id: 'a6',
    method: 'DELETE',
    path: 'müller-straße foo_bar',
    status: 204,
    duration: 45,
    ok: true,
    size: 2048,
    code: 7.5,
    "it's": 'odd "name" \\ `x`',
  }),
]

const USERS: readonly StoredEvent[] = [
  at(1, 0n, { user: 'a1', name: 'Ada', age: 36 }),
  at(2, 0n, { user: 'a2', name: 'Bob', age: 41 }),
  at(3, 0n, { user: 'zz', name: 'Zoe', age: 29 }),
]

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
