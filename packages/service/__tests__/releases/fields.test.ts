/** What the judge says where fields, units or log lines change with a release, or where one dataset has several environments. */
import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { ask, created } from '../http.ts'
import { iso, MINUTE, roomForTests, startDriven } from '../monitors/driven-service.ts'

const room = roomForTests()

/** How many of which events there are each minute. */
type Minute = [count: number, event: object][]
/** `errors` is the verdict and the lack of the series of errors; `p95` the lack of the percentiles. */
type Expected = Partial<
  Record<'verdict' | 'errors' | 'kind' | 'p95' | 'notes' | 'environment' | 'service' | 'failed', string | undefined>
>

const WORLDS: [name: string, before: Minute, after: Minute, expected: Expected][] = JSON.parse(
  readFileSync(new URL('fields.json', import.meta.url), 'utf8'),
)

test('the judge never says the opposite of the truth where fields, lines or environments change', async () => {
  await using service = await startDriven(room, { releaseTypes: ['rollout'] })
  const atMs = room.clock.now() - 15 * MINUTE
  const marks = new Map<string, string>()
  for (const [name, before, after, { environment, service: owner, failed }] of WORLDS) {
    const events = Array.from({ length: 75 }, (_, at) => at - 61).flatMap((minute) =>
      (minute < 0 ? before : after).flatMap(([count, event]) =>
        Array.from({ length: count }, (_, at) => ({
          _time: iso(atMs + minute * MINUTE + Math.floor((at * MINUTE) / count)),
          ...event,
        })),
      ),
    )
    await service.ingest(name, events)
    if (failed) await ask(service, 'POST', '/v2/vfields', { body: { dataset: name, name: 'failed', expression: failed } })
    const mark = { datasets: [name], type: 'rollout', title: '2.0.0', time: iso(atMs), environment, service: owner }
    marks.set(name, (await created(service, mark)).id)
  }
  const found: unknown[] = []
  for (const [name, , , expected] of WORLDS) {
    const { verdict = '', verdictDetails } = await service.judged(marks.get(name) as string)
    const { series = [], notes = [] } = verdictDetails ?? {}
    const errors = series.find((one) => one.name === `${name} errors`)
    const lacks = new Set(series.filter((one) => / p\d\d$/.test(one.name)).map(({ lack }) => lack))
    const said: Expected = {
      verdict: new RegExp(`^(?:${expected.verdict})$`).test(verdict) ? expected.verdict : `${verdict}: ${verdictDetails?.text}`,
      errors: expected.errors?.includes(': ') ? `${errors?.verdict}: ${errors?.lack}` : errors?.verdict,
      kind: errors?.kind,
      p95: [...lacks].join(' or '),
      notes: notes.join(),
    }
    found.push([
      name,
      Object.fromEntries(
        Object.keys(expected).map((key) => [key, said[key as keyof Expected] ?? expected[key as keyof Expected]]),
      ),
    ])
  }
  expect(found).toEqual(WORLDS.map(([name, , , expected]) => [name, expected]))
})
