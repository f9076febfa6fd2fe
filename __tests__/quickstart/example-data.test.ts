/**
 * The example of `npm start`, sent to a real service.
 */

import { type Client, createClient } from '@deployment-annotations/client'
import { expect, test } from '@jest/globals'
import { sendExampleData } from '../../scripts/quickstart/example-data.ts'
import { startService } from '../support/service.ts'

test('what was broken off is finished by the next run, and nothing of it is there twice', async () => {
  await using service = await startService()
  await using client = createClient({ token: service.token, baseUrl: service.url })
  const sent: string[] = []
  /** Leaves off before so many annotations. */
  const brokenOff = (annotationsMax: number): Client => {
    let left = annotationsMax
    const create: Client['annotations']['create'] = async (...args) => {
      if (left-- === 0) throw new Error('broken off')
      return client.annotations.create(...args)
    }
    const ingest = async (...args: Parameters<Client['ingest']>) => {
      sent.push(args[0])
      return client.ingest(...args)
    }
    return { ...client, ingest, annotations: { ...client.annotations, create } } as Client
  }
  const now = Date.now()
  for (const annotationsMax of [0, 2]) await expect(sendExampleData(brokenOff(annotationsMax), now)).rejects.toThrow('broken off')
  expect(await sendExampleData(brokenOff(Number.POSITIVE_INFINITY), now + 5_000)).toBe(true)
  expect(await sendExampleData(brokenOff(0), now)).toBe(false)
  expect(sent).toEqual(['payments', 'shop'])
  const titles = (await client.annotations.list({ datasets: ['shop'] })).map(({ title }) => title)
  expect(titles.sort()).toEqual(['Checkout fails', 'Shop 1.41.0', 'Shop 1.41.1', 'Shop 1.42.0'])
})

test('an example of an earlier day is sent again; a dataset of the same name that is somebody’s own is left alone', async () => {
  await using service = await startService()
  await using client = createClient({ token: service.token, baseUrl: service.url })
  const now = Date.now()
  expect(await sendExampleData(client, now - 24 * 3_600_000)).toBe(true)
  expect(await sendExampleData(client, now)).toBe(true)
  expect(await sendExampleData(client, now)).toBe(false)
  expect(await client.annotations.list({ datasets: ['payments'] })).toHaveLength(8)

  await using other = await startService()
  await using owner = createClient({ token: other.token, baseUrl: other.url })
  await owner.ingest('shop', [{ mine: true }])
  expect(await sendExampleData(owner, now)).toBe(false)
  expect((await owner.datasets.list()).map(({ name }) => name)).toEqual(['shop'])
})
