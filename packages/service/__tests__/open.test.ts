/**
 * An annotation that is open goes on until it has an end: every list of a time since it began has it.
 */

import type { Annotation } from '@deployment-annotations/contract/annotation'
import { withAllMembers } from '@deployment-annotations/contract/header'
import { expect, test } from '@jest/globals'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { createClient } from '../../client/src/index.ts'
import { ask, create, created, list } from './http.ts'
import { apl } from './query/ask.ts'

const service = serviceForTests()

const BEGAN = '2026-01-31T09:00:00Z'
const LATER = '?start=2026-01-31T12:00:00Z&end=2026-01-31T13:00:00Z'
const ids = async (query: string) => (await list(service, query)).body.map(({ id }) => id)
const whole = async (id: string) => (await ask<Annotation>(service, 'GET', withAllMembers(`/v2/annotations/${id}`))).body

test('an incident that began three hours ago and goes on is in a list of the last hour, until it has its end', async () => {
  const incident = await created(service, { datasets: ['incidents'], type: 'incident', time: BEGAN, open: true })
  const point = await created(service, { datasets: ['incidents'], type: 'incident', time: BEGAN })
  expect(incident).not.toHaveProperty('open')
  expect(await whole(incident.id)).toMatchObject({ open: true })
  expect(await ids(`${LATER}&datasets=incidents`)).toEqual([incident.id])
  // It had not begun yet.
  expect(await ids('?end=2026-01-31T08:59:59Z&datasets=incidents')).toEqual([])
  const range = { startTime: '2026-01-31T12:00:00Z', endTime: '2026-01-31T13:00:00Z' }
  const rows = await apl(service, "['_annotations'] | where open and datasets has 'incidents' | project id", range)
  expect(rows.body.matches.map(({ data }) => data.id)).toEqual([incident.id])

  await ask(service, 'PUT', `/v2/annotations/${incident.id}`, { body: { endTime: '2026-01-31T10:00:00Z' } })
  expect(await whole(incident.id)).not.toHaveProperty('open')
  expect(await ids(`${LATER}&datasets=incidents`)).toEqual([])
  await ask(service, 'PUT', `/v2/annotations/${point.id}`, { body: { open: true } })
  expect(await ids(`${LATER}&datasets=incidents`)).toEqual([point.id])
  await ask(service, 'PUT', `/v2/annotations/${point.id}`, { body: { open: false } })
  expect(await ids(`${LATER}&datasets=incidents`)).toEqual([])
})

test('the typed client says it in a header, so that a service that does not know the member gets a body without it', async () => {
  await using client = createClient({ baseUrl: service.url, token: service.token })
  const members = { datasets: ['client'], type: 'deploy', time: BEGAN }
  const { id } = await client.annotations.create({ ...members, open: true })
  expect(await client.annotations.get(id, { include: 'all' })).toMatchObject({ open: true })
  await client.annotations.change(id, { open: false })
  expect(await client.annotations.get(id, { include: 'all' })).not.toHaveProperty('open')
  const keyed = await client.annotations.put('client-key', { ...members, open: true })
  expect(await client.annotations.get(keyed.annotation.id, { include: 'all' })).toMatchObject({ open: true })
  const wrong = await create(service, {}, { headers: { 'annotation-open': 'maybe' } })
  expect(wrong.status).toBe(400)
})

test('what several jobs share is open until one of them ends it', async () => {
  const say = (job: string, members: object) =>
    create(
      service,
      { datasets: ['joint'], time: BEGAN, ...members },
      { headers: { 'annotation-key': 'joint', 'annotation-job': JSON.stringify({ run: '1', attempt: 1, job }) } },
    )
  const { id } = (await say('eu', { open: true })).body
  await say('us', {})
  expect(await whole(id)).toMatchObject({ open: true })
  await say('eu', { endTime: '2026-01-31T10:00:00Z' })
  expect(await whole(id)).not.toHaveProperty('open')
})
