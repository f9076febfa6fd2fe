/** Who made an annotation, and when: kept whoever changes it, answered to whoever asks for it, and a column for queries. */

import type { Annotation } from '@deployment-annotations/contract/annotation'
import { withAllMembers } from '@deployment-annotations/contract/header'
import type { MadeToken } from '@deployment-annotations/contract/token'
import { beforeAll, expect, test } from '@jest/globals'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { ask, makeToken, VALID } from './http.ts'
import { apl, rowsOf } from './query/ask.ts'

const ALL = { startTime: '2026-01-01T00:00:00Z', endTime: '2027-01-01T00:00:00Z' }
const TIME = '2026-03-02T12:00:00Z'

const service = serviceForTests()
let ci: MadeToken
beforeAll(async () => {
  ci = await makeToken(service, ['annotations|create', 'annotations|read', 'annotations|update', 'query|read'])
})

const wholly = (method: string, path: string, question: Parameters<typeof ask>[3] = {}) =>
  ask<Annotation>(service, method, withAllMembers(path), question)
const make = (dataset: string, token?: string, headers = {}) =>
  wholly('POST', '/v2/annotations', { body: { ...VALID, datasets: [dataset], time: TIME }, headers, token })

test('each answer says which token made the annotation, and when, where the request asks for it', async () => {
  const beforeMs = Date.now()
  const { body: made } = await make('told', ci.token)
  expect(made).toEqual({
    id: expect.any(String),
    datasets: ['told'],
    time: TIME,
    type: 'deploy',
    createdAt: expect.any(String),
    createdBy: ci.id,
  })
  expect(Date.parse(made.createdAt ?? '')).toBeGreaterThanOrEqual(beforeMs)
  expect(Date.parse(made.createdAt ?? '')).toBeLessThanOrEqual(Date.now())
  expect((await wholly('GET', `/v2/annotations/${made.id}`)).body).toEqual(made)
  expect((await wholly('GET', '/v2/annotations?datasets=told')).body).toEqual([made])
})

test('a client that decodes strictly is answered members of the hosted service only', async () => {
  const { createdAt: _, createdBy: __, ...hosted } = (await make('strict', ci.token, { 'Annotation-Key': 'strict' })).body
  const one = `/v2/annotations/${hosted.id}`
  const key = { 'Annotation-Key': 'strict' }
  const body = { ...VALID, datasets: ['strict'], time: TIME }
  expect((await ask(service, 'POST', '/v2/annotations', { headers: key, body })).body).toEqual(hosted)
  expect((await ask(service, 'GET', one)).body).toEqual(hosted)
  expect((await ask(service, 'PUT', one, { body: {} })).body).toEqual(hosted)
  expect((await ask(service, 'GET', '/v2/annotations', { headers: key })).body).toEqual([hosted])
  expect((await ask(service, 'GET', '/v2/annotations?datasets=strict')).body).toEqual([hosted])
})

test('who changes an annotation, or creates it once more with its key, does not become the one who made it', async () => {
  const key = { 'Annotation-Key': 'kept' }
  const { body: made } = await make('kept', ci.token, key)
  const replaced = await make('kept', undefined, key)
  expect(replaced).toMatchObject({ status: 200, body: { id: made.id, createdAt: made.createdAt, createdBy: ci.id } })
  const body = { title: 'changed', createdBy: 'tok_somebody', createdAt: '1999-01-01T00:00:00Z' }
  // Where it belongs is read from its title, because nobody said it.
  const changed = { ...made, title: 'changed', service: 'changed' }
  expect((await wholly('PUT', `/v2/annotations/${made.id}`, { body })).body).toEqual(changed)
})

test('a repeated create is answered who made the first', async () => {
  const key = { 'Idempotency-Key': 'repeated' }
  const { body: made } = await make('repeated', ci.token, key)
  expect((await make('repeated', ci.token, key)).body).toEqual(made)
})

test('nobody says who made it but the service', async () => {
  const body = { ...VALID, datasets: ['claimed'], createdBy: 'tok_somebody', createdAt: '1999-01-01T00:00:00Z' }
  const made = await wholly('POST', '/v2/annotations', { body })
  expect(made.body.createdBy).toBe('tok_operator')
  expect(made.body.createdAt).not.toMatch(/^1999/)
})

test('queries find annotations by who made them', async () => {
  const { body: made } = await make('asked', ci.token)
  await make('asked')
  const text = `['_annotations'] | where datasets has 'asked' and createdBy == '${ci.id}' | project id, createdAt, createdBy`
  const { body } = await apl(service, text, ALL)
  expect(rowsOf(body)).toEqual([{ id: made.id, createdAt: made.createdAt, createdBy: ci.id }])
})
