/** Which fields say what failed and how long it took, in the formats of real software: over the real engine. */
import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { chooseQueries } from '../../../compare/src/around.ts'
import type { Ask } from '../../../compare/src/comparison.ts'
import { ask } from '../http.ts'
import { iso, MINUTE, roomForTests, startDriven } from '../monitors/driven-service.ts'
import { apl } from '../query/ask.ts'

const room = roomForTests()

/** Its name, an event that went well, what one that failed has in its place, and whether it says a duration, or `none` of either. */
type Format = [name: string, ok: object, failed: object, says: string]

const FORMATS: Format[] = JSON.parse(readFileSync(new URL('formats.json', import.meta.url), 'utf8'))

function toFailed(ok: object, { '!': left = '', ...failed }: Record<string, unknown>): object {
  const dropped = String(left).split(' ')
  return { ...Object.fromEntries(Object.entries(ok).filter(([name]) => !dropped.includes(name))), ...failed }
}

test('errors and latencies are found in the formats of loggers, proxies and clouds', async () => {
  await using service = await startDriven(room)
  const atMs = room.clock.now() - 20 * MINUTE
  const windows = { before: { startMs: atMs - 60 * MINUTE, endMs: atMs }, after: { startMs: atMs, endMs: atMs + 10 * MINUTE } }
  const span = { startTime: iso(windows.before.startMs), endTime: iso(windows.after.endMs) }
  const asking: Ask = async (query, range) => {
    const { status, text, body } = await apl(service, query.apl, range, 'tabular')
    if (status !== 200) throw new Error(`${query.apl}\n${text}`)
    return body
  }
  const wrong: string[] = []
  for (const [at, [name, ok, failed, says]] of FORMATS.entries()) {
    const dataset = `format-${at}`
    const events = Array.from({ length: 70 }, (_, minute) => [
      ok,
      ok,
      ok,
      ...(minute % 5 === 0 ? [toFailed(ok, failed as never)] : []),
    ])
    const timed = events.flatMap((some, minute) =>
      some.map((event) => ({ ...event, _time: iso(windows.before.startMs + minute * MINUTE) })),
    )
    await service.ingest(dataset, timed)
    const fieldsOf = async () =>
      (await ask<{ name: string; type: string }[]>(service, 'GET', `/v2/datasets/${dataset}/fields`)).body
    const queries = await chooseQueries([dataset], { ask: asking, windows, afterMs: 10 * MINUTE, fieldsOf })
    const sumOf = async (column: string, kind: RegExp) => {
      const query = queries.find((one) => kind.test(one.name))
      const [table] = query ? (await asking(query, span)).tables : []
      const values = table?.columns[table.fields.findIndex((field) => field.name === column)] ?? []
      return values.reduce<number>((sum, value) => sum + Number(value ?? Number.NaN), 0)
    }
    const errors = queries.find((one) => one.name.endsWith(' errors'))
    const note = queries[0]?.note ?? ''
    const failures = errors ? await sumOf('failed', / errors$/) : 'none'
    const p95 = queries.length > (errors ? 2 : 1) ? (await sumOf('p95', / (?!traffic|errors)\S+$/)) > 0 : false
    if (failures !== (says === 'none' ? 'none' : 14)) wrong.push(`${name}: ${failures} failures of ${errors?.apl}`)
    if (/Errors are not looked at: no field says what failed/.test(note) !== (says === 'none')) wrong.push(`${name}: ${note}`)
    if (p95 !== (says === 'duration')) wrong.push(`${name}: latency ${p95} ${queries.at(-1)?.apl}`)
    if (/Latency is not looked at/.test(note) === (says === 'duration')) wrong.push(`${name}: ${note}`)
  }
  expect(wrong).toEqual([])
})
