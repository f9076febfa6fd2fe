/**
 * What a service acknowledged, under faults: events of small and large requests, with and without keys, and annotations, some of which
 * are then changed or deleted. Whoever was not answered and has a key, or changes or deletes, asks again. In the end each acknowledged
 * request is there once and as a whole, and any other one is there once or not at all.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from '@jest/globals'
import type { RunningService } from '../../../__tests__/support/service.ts'
import { until } from '../../../__tests__/support/until.ts'
import { ask, change, create, remove } from './http.ts'
import { apl } from './query/ask.ts'

/** Events of a request: one, a few, and with `pad` more than are written ahead of their insert, or more than one insert holds. */
const SIZES = [1, 1, 7, 60, 500, 1_400]
const DATASET = 'ledger'

type Asked = Pick<RunningService, 'url' | 'token'>

interface Entry {
  id: string
  /** 0 for an annotation. */
  size: number
  isKeyed: boolean
  isAcknowledged: boolean
  /** The annotation that it made. */
  annotation?: string
  /** What becomes of that; `isFateAsked` once a request for it may have arrived. */
  fate: 'changed' | 'deleted' | undefined
  isFateAsked?: boolean
  /** What it is stored under: its id, or what the title was changed to. */
  title: string
  /** How many events or annotations it stores. */
  whole: number
}

export class Ledger {
  readonly #entries: Entry[] = []
  #open: Entry[] = []
  #begun = 0
  readonly #writers: number

  constructor({ writers = 6 } = {}) {
    this.#writers = writers
  }

  get acknowledged(): number {
    return this.#entries.filter(({ isAcknowledged }) => isAcknowledged).length
  }

  /**
   * Writes until the end of `during`, which may take the service away.
   * @param service the one that is asked next, which may be another one each time
   */
  async write(service: () => Asked, during: () => Promise<unknown>): Promise<void> {
    let isOn = true
    const writer = async () => {
      while (isOn) {
        const entry = this.#open.filter(({ isKeyed }) => isKeyed).at(0) ?? this.#make()
        this.#open = this.#open.filter((one) => one !== entry)
        if (!(await this.#send(service(), entry).catch(() => false))) {
          this.#open.push(entry)
          await sleep(20)
        }
      }
    }
    const writing = Promise.all(Array.from({ length: this.#writers }, writer))
    try {
      await during()
    } finally {
      isOn = false
      await writing
    }
  }

  /** Resolves after so many more answers. */
  async more(answers: number): Promise<void> {
    const enough = this.acknowledged + answers
    await until('enough answers', () => this.acknowledged >= enough)
  }

  /** How many events and annotations were acknowledged. */
  get rows(): number {
    return this.#entries.reduce((sum, { isAcknowledged, size }) => sum + (isAcknowledged ? Math.max(1, size) : 0), 0)
  }

  /** @returns the requests that were acknowledged before it was asked, and that the service does not show; `undefined` where it shows nothing */
  async findHidden(service: Asked): Promise<string[] | undefined> {
    // One that is not changed yet may be when it is read.
    const before = this.#entries
      .filter(({ isAcknowledged, fate }) => isAcknowledged && fate !== 'deleted')
      .map(({ id, title, whole }) => ({ id, whole, titles: title === id ? [id, changedTitle(id)] : [title] }))
    const there = await readAll(service).catch(() => undefined)
    return (
      there && before.filter(({ titles, whole }) => !titles.some((one) => (there.get(one) ?? 0) >= whole)).map(({ id }) => id)
    )
  }

  /** Sends again what was not answered and has a key. */
  async settle(service: Asked): Promise<void> {
    for (const entry of this.#open.filter(({ isKeyed }) => isKeyed)) {
      await until('a repeat is answered', () => this.#send(service, entry).catch(() => false))
    }
    this.#open = this.#open.filter(({ isKeyed }) => !isKeyed)
  }

  /** Settles what is open, and then compares everything with what the service has. */
  async check(service: Asked): Promise<void> {
    await this.settle(service)
    const there = await readAll(service)
    const lost: string[] = []
    const doubled: string[] = []
    const torn: string[] = []
    for (const { id, title, whole, isAcknowledged } of this.#entries) {
      const found = there.get(title) ?? 0
      if (found > whole || (title !== id && there.has(id))) doubled.push(id)
      else if (isAcknowledged && found < whole) lost.push(id)
      else if (found !== 0 && found < whole) torn.push(id)
    }
    expect({ lost, doubled, torn, acknowledged: this.acknowledged > 0 }).toEqual({
      lost: [],
      doubled: [],
      torn: [],
      acknowledged: true,
    })
  }

  #make(): Entry {
    const number = this.#begun++
    const isAnnotation = number % 4 === 3
    const size = isAnnotation ? 0 : (SIZES[Math.floor(number / 4 + number) % SIZES.length] as number)
    const id = `request-${number}`
    const isKeyed = isAnnotation || number % 2 === 0
    const fate = isAnnotation ? ([undefined, 'changed', 'deleted'] as const)[Math.floor(number / 4) % 3] : undefined
    const entry: Entry = { id, size, isKeyed, isAcknowledged: false, fate, title: id, whole: Math.max(1, size) }
    this.#entries.push(entry)
    return entry
  }

  /** @returns whether it was answered as it should be */
  async #send(service: Asked, entry: Entry): Promise<boolean> {
    const { id, size, isKeyed } = entry
    if (size === 0) return this.#sendAnnotation(service, entry)
    const headers: Record<string, string> = isKeyed ? { 'Idempotency-Key': id } : {}
    const pad = 'x'.repeat(size > 1_000 ? 5_000 : 40)
    const body = Array.from({ length: size }, (_, i) => ({ request: id, i, pad }))
    const answer = await ask(service, 'POST', `/v1/datasets/${DATASET}/ingest`, { body, headers })
    entry.isAcknowledged ||= answer.status === 200
    return entry.isAcknowledged
  }

  async #sendAnnotation(service: Asked, entry: Entry): Promise<boolean> {
    const { id, fate, isFateAsked } = entry
    if (entry.annotation === undefined) {
      const { status, body } = await create(service, { title: id, datasets: [DATASET] }, { headers: { 'Idempotency-Key': id } })
      if (status !== 201) return false
      entry.annotation = body.id
      entry.isAcknowledged = true
    }
    entry.isFateAsked = fate !== undefined
    if (fate === 'changed') {
      if ((await change(service, entry.annotation, { title: changedTitle(id) })).status !== 200) return false
      entry.title = changedTitle(id)
    }
    if (fate === 'deleted') {
      const { status } = await remove(service, entry.annotation)
      // One that is asked for again may be gone.
      if (status !== 204 && !(isFateAsked && status === 404)) return false
      entry.whole = 0
    }
    return true
  }
}

const changedTitle = (id: string) => `${id} is changed`

async function readAll(service: Asked): Promise<Map<string, number>> {
  return new Map([...(await readEvents(service)), ...(await readAnnotations(service))])
}

/** @returns how many events each request has; one that is there twice counts as more than it has */
async function readEvents(service: Asked): Promise<[string, number][]> {
  const answer = await apl(service, `['${DATASET}'] | summarize n = count() by request | limit 100000`)
  expect([answer.status, answer.body.status?.isPartial]).toEqual([200, false])
  const [requests = [], counts = []] = (answer.body.tables[0]?.columns ?? []) as [string[], number[]]
  return requests.map((id, index) => [id, counts[index] as number])
}

/** @returns how many annotations each request made, as lists have them */
async function readAnnotations(service: Asked): Promise<[string, number][]> {
  const { status, body } = await ask<{ title: string }[]>(service, 'GET', `/v2/annotations?datasets=${DATASET}`)
  expect(status).toBe(200)
  const counts = new Map<string, number>()
  for (const { title } of body) counts.set(title, (counts.get(title) ?? 0) + 1)
  return [...counts]
}
