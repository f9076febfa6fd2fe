/**
 * Events of one deployment that come to several services at one moment: they share records, and each knows nothing of the others.
 */
import { describe, expect, test } from '@jest/globals'
import { type Place, usePlaces } from '../../../records/__tests__/places.ts'
import { listAnnotations } from '../../../records/src/annotations/annotation-lists.ts'
import type { Deployments } from '../../src/automations/deployments/deployments.ts'
import { receiver, requestOf } from './receiver.ts'

const places = usePlaces()
const [START, END] = ['2026-03-01T12:00:00Z', '2026-03-01T12:05:00Z']
const nsOf = (time: string) => BigInt(Date.parse(time)) * 1_000_000n

async function startThree(place: Place): Promise<[Deployments, Deployments, Deployments]> {
  return [receiver(place.records), receiver(await place.again()), receiver(await place.again())]
}

async function stored({ records }: Place) {
  return {
    annotations: await listAnnotations(records.read, {}, { limit: 1_000 }),
    deployments: await records.read.selectFrom('deployments').selectAll().execute(),
  }
}

describe.each(places.names)('on %s', (name) => {
  test('the start at one and the end at another are one deployment, and one span with its end', async () => {
    await using place = await places.open(name)
    const [a, b] = await startThree(place)
    const ROUNDS = 60
    for (let round = 0; round < ROUNDS; round++) {
      const events = [
        () => a.receive('generic', requestOf('started', START, `v${round}`)),
        () => b.receive('generic', requestOf('succeeded', END, `v${round}`)),
      ]
      // Which of them is sent first alternates.
      const answers = await Promise.all((round % 2 === 0 ? events : events.reverse()).map((send) => send()))
      expect(answers.map(({ outcome }) => outcome).sort()).toEqual(['changed', 'created'])
      expect(new Set(answers.map(({ annotation }) => annotation)).size).toBe(1)
    }
    const { annotations, deployments } = await stored(place)
    expect(deployments).toHaveLength(ROUNDS)
    expect(new Set(annotations.map(({ title }) => title)).size).toBe(ROUNDS)
    for (const annotation of annotations) expect(annotation).toMatchObject({ timeNs: nsOf(START), endTimeNs: nsOf(END) })
    expect(annotations).toHaveLength(ROUNDS)
  })

  test('the same event, redelivered to all of them several times at once, is taken in once', async () => {
    await using place = await places.open(name)
    const services = await startThree(place)
    for (const status of ['started', 'succeeded']) {
      const time = status === 'started' ? START : END
      const deliveries = [...services, ...services, ...services, ...services]
      const answers = await Promise.all(deliveries.map((one) => one.receive('generic', requestOf(status, time, 'v1'))))
      const outcomes = answers.map(({ outcome }) => outcome).sort()
      expect(outcomes).toEqual([status === 'started' ? 'created' : 'changed', ...Array(deliveries.length - 1).fill('unchanged')])
      expect(new Set(answers.map(({ annotation }) => annotation)).size).toBe(1)
    }
    const { annotations, deployments } = await stored(place)
    expect(deployments).toHaveLength(1)
    expect(annotations).toMatchObject([{ id: deployments[0]?.annotation, timeNs: nsOf(START), endTimeNs: nsOf(END) }])
  })
})
