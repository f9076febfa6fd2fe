/**
 * The same questions to the engine in the process and to a ClickHouse server: the answers are the same to the byte.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from '@jest/globals'
import { startClickHouse } from '../../../../__tests__/support/clickhouse-server.ts'
import { testOnClickHouse } from '../../../../__tests__/support/databases.ts'
import { startService } from '../../../../__tests__/support/service.ts'
import { readCases } from '../cases.ts'
import { created } from '../http.ts'
import { type Answer, apl, ingest, ingestEach, legacy, post } from './ask.ts'

const EVENTS = `[{"_time":"2026-01-01T00:00:00.000000001Z","n":9007199254740993,"text":"it's \\\\ \\u0000 \\n","geo":{"city":"Rome"},"a.b":1},
{"_time":"2026-01-01T00:00:00.000000001Z","n":"text","list":[1,"x",{"k":null}],"f":0.1},
{"_time":"1969-12-31T23:59:59Z","n":2.5,"ok":true}]`

const TEXTS = readCases<string[]>(import.meta.url)

/** So many long ones that a server would take them neither as a parameter nor in an address. */
const ANNOTATIONS = Array.from({ length: 300 }, (_, at) => ({
  type: 'deploy',
  time: new Date(Date.UTC(2026, 0, 1, 0, 0, at)).toISOString(),
  description: `${at}${'ü\\\'"'.repeat(120)}`,
}))

const ANNOTATION_TEXTS = [
  '_annotations | project-away id, createdAt | limit 1000',
  "['web'] | join kind=leftouter (_annotations | project _time, description) on _time | project _time, description",
  '_annotations | union web | summarize count(), max(strlen(description)) by bin(_time, 1m)',
]

/** Without what differs from run to run. */
const comparable = ({ status, text }: Answer) => [
  status,
  text
    .replace(/"status":\{.*?\]\},/, '')
    .replace(/"_sysTime":"[^"]*"|\["20[^[\]]*"\]/g, '')
    .replace(/("_rowId":"\w{13})\w*/g, '$1'),
]

testOnClickHouse('answers are the same', async () => {
  await using server = await startClickHouse()
  // With an address that nobody answers at: a query is ended on the server that runs it.
  const addresses = `http://127.0.0.1:1,${server.url}`
  await using remote = await startService({ args: ['--clickhouse', addresses, '--query-seconds-max', '2'] })
  await using embedded = await startService()
  for (const service of [remote, embedded]) await ingest(service, 'web', EVENTS)
  for (const service of [remote, embedded]) await Promise.all(ANNOTATIONS.map((annotation) => created(service, annotation)))
  for (const text of [...TEXTS, ...ANNOTATION_TEXTS]) {
    const [there, here] = [await apl(remote, text), await apl(embedded, text)]
    expect([text, comparable(there)]).toEqual([text, comparable(here)])
    expect(there.body.status?.rowsMatched).toBe(here.body.status?.rowsMatched)
  }
  const body = { limit: 2, order: [{ field: '_time', desc: false }] }
  const first = await legacy(remote, 'web', body)
  const second = await legacy(remote, 'web', { ...body, cursor: first.body.status.maxCursor })
  expect([first, second].map((answer) => answer.body.matches.length)).toEqual([2, 1])
  expect(first.body.status.rowsExamined).toBeGreaterThan(0)

  // Limits and callers that leave end a query there too.
  await ingestEach(remote, 'big', 20_000, (n) => ({ n }))
  const slow = `['big'] | extend k = 1 | join kind=inner (['big'] | project k = 1, m = n) on k | where strcat(tostring(n), 'x', tostring(m)) contains 'no' | count`
  const tooLong = await apl(remote, slow)
  expect([tooLong.status, tooLong.body.message]).toEqual([504, expect.stringContaining('longer than 2 s')])
  const caller = new AbortController()
  const left = post(remote, '/v1/datasets/_apl', { apl: slow, startTime: 'now-1d', endTime: 'now' }, { signal: caller.signal })
  setTimeout(() => caller.abort(), 300)
  await expect(left).rejects.toThrow('aborted')
  // The question counts itself; a busy machine takes its time to end the other.
  const running = "SELECT count() - 1 FROM system.processes WHERE query LIKE '%JOIN%'"
  const deadline = Date.now() + 30_000
  let stillRunning = ''
  while (stillRunning !== '0\n' && Date.now() < deadline) {
    await sleep(200)
    stillRunning = await (await fetch(`${server.url}/?query=${encodeURIComponent(running)}`)).text()
  }
  expect(stillRunning).toBe('0\n')
})
