/**
 * A backup of a service that several clients write to meanwhile, and what is there when it is restored.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { folderForTests } from '../../../../__tests__/support/for-tests.ts'
import { startService } from '../../../../__tests__/support/service.ts'
import { ask } from '../http.ts'
import { apl, post, rowsOf } from '../query/ask.ts'
import { asOperator, ingestMany, move, type Target } from './moving.ts'

const WRITERS = 4
/** The first is filled before, so that it is exported in several chunks, and a request has events in each. */
const DATASETS = ['large', 'written1', 'written2']

const parent = folderForTests('transfer')
const at = (name: string) => join(parent, name)

/** Ids of what was acknowledged, as it comes. Every request has events of several times, and a field of its own now and then. */
class Writer {
  readonly events: number[] = []
  readonly annotations: string[] = []
  readonly #service: Target
  readonly #first: number
  #isEnding = false
  readonly #ended: Promise<void>

  constructor(service: Target, number: number) {
    this.#service = service
    this.#first = number * 1_000_000
    this.#ended = this.#write()
  }

  async end(): Promise<void> {
    this.#isEnding = true
    await this.#ended
  }

  async #write(): Promise<void> {
    for (let n = this.#first; !this.#isEnding; n += 10) {
      const ids = Array.from({ length: 10 }, (_, m) => n + m)
      const events = ids.map((id) => ({ _time: (id * 7_919_333) % 86_400_000, id, [`field${Math.floor(n / 500)}`]: id }))
      const { status } = await post(this.#service, `/v1/datasets/${DATASETS[n % DATASETS.length]}/ingest`, events)
      if (status === 200) this.events.push(...ids)
      const made = await ask<{ id: string }>(this.#service, 'POST', '/v2/annotations', { body: { datasets: ['web'], type: 'd' } })
      if (made.status < 300) this.annotations.push(made.body.id)
    }
  }
}

test('a backup of a running service has everything that was acknowledged before it began', async () => {
  await using service = await startService({ dataDir: at('running') })
  await ingestMany(service, 'large', 50_000)
  await ask(service, 'POST', '/v2/datasets', { body: { name: 'deleted' } })
  const writers = Array.from({ length: WRITERS }, (_, n) => new Writer(service, n + 1))
  await sleep(1_500)
  const events = writers.flatMap((writer) => writer.events)
  const annotations = writers.flatMap((writer) => writer.annotations)
  const backup = move(['export', '--url', service.url, '--to', at('backup')], asOperator)
  await sleep(300)
  await ask(service, 'DELETE', '/v2/datasets/deleted')
  await backup
  for (const writer of writers) await writer.end()
  expect(events.length).toBeGreaterThan(100)

  await move(['import', '--from', at('backup'), '--data', at('restored')])
  await using restored = await startService({ dataDir: at('restored') })
  const found = await idsOf(restored)
  expect(new Set(found).size).toBe(found.length)
  expect(events.filter((id) => !found.includes(id))).toEqual([])
  // What came meanwhile is there whole or not at all.
  expect(found.length % 10).toBe(0)
  const stored = await ask<{ id: string }[]>(restored, 'GET', '/v2/annotations?limit=1000')
  const listed = new Set(stored.body.map(({ id }) => id))
  expect(annotations.slice(0, 1_000).filter((id) => !listed.has(id)).length).toBe(Math.max(0, annotations.length - listed.size))
  await expectAllFieldsKnown(restored)
  expect((await ask<{ name: string }[]>(restored, 'GET', '/v2/datasets')).body.map(({ name }) => name)).not.toContain('deleted')
  // Ids of rows begin above those that were restored.
  await ingestMany(restored, 'large', 1)
  expect(rowsOf((await apl(restored, "['large'] | where isnull(id) | summarize count()", {}, 'tabular')).body)).toEqual([
    { count_: 50_001 },
  ])
})

async function idsOf(service: Target): Promise<number[]> {
  const ids: number[] = []
  for (const dataset of DATASETS) {
    const { body } = await apl(service, `['${dataset}'] | where isnotnull(id) | project id | limit 50000`, {}, 'tabular')
    ids.push(...rowsOf(body).map(({ id }) => Number(id)))
  }
  return ids
}

/** Each field of each event can be asked for by its name. */
async function expectAllFieldsKnown(service: Target): Promise<void> {
  for (const dataset of DATASETS) {
    const fields = (await ask<{ name: string }[]>(service, 'GET', `/v2/datasets/${dataset}/fields`)).body.map(({ name }) => name)
    const { body } = await apl(service, `['${dataset}'] | where isnotnull(id) | limit 50000`)
    const stored = new Set(body.matches.flatMap(({ data }) => Object.keys(data)))
    expect([...stored].filter((name) => !fields.includes(name))).toEqual([])
  }
}
