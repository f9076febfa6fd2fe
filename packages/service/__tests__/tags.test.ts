/**
 * Where a mark belongs: service, environment, version and tags, as they are given, and otherwise as its texts say.
 */
import { readFileSync } from 'node:fs'
import type { Annotation, NewAnnotation } from '@deployment-annotations/contract/annotation'
import { withAllMembers } from '@deployment-annotations/contract/header'
import { expect, test } from '@jest/globals'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { createClient } from '../../client/src/index.ts'
import { ask, create, created, list } from './http.ts'
import { apl } from './query/ask.ts'

const service = serviceForTests()

const TIME = '2026-01-31T12:00:00Z'
const whole = async (id: string) => (await ask<Annotation>(service, 'GET', withAllMembers(`/v2/annotations/${id}`))).body
const tagsOf = ({ service: name, environment, version, tags }: Annotation) => ({ service: name, environment, version, tags })
const ids = async (query: string) => (await list(service, query)).body.map(({ id }) => id)

test('what is given is kept, changed and unset, and only answered to those who ask', async () => {
  const given = { service: 'Web', environment: 'eu-1', version: 'v2.15.0', tags: ['canary', 'canary', 'Größe'] }
  const made = await created(service, {
    datasets: ['given'],
    type: 'deploy',
    title: 'api 1.0.0 to staging',
    time: TIME,
    ...given,
  })
  expect(Object.keys(made)).toEqual(['id', 'datasets', 'time', 'title', 'type'])
  expect(tagsOf(await whole(made.id))).toEqual({ ...given, tags: ['canary', 'Größe'] })
  await ask(service, 'PUT', `/v2/annotations/${made.id}`, { body: { service: '', tags: [], environment: 'eu-2' } })
  expect(tagsOf(await whole(made.id))).toEqual({ service: 'api', environment: 'eu-2', version: 'v2.15.0', tags: undefined })
})

type Case = readonly [members: Partial<NewAnnotation>, said: Partial<Annotation>]
test.each(JSON.parse(readFileSync(new URL('tags-of-texts.json', import.meta.url), 'utf8')) as Case[])(
  'the texts %j say %j',
  async (members, said) => {
    const { id } = await created(service, { datasets: ['texts'], type: 'note', time: TIME, ...members })
    const { service: name, environment, version, tags } = await whole(id)
    expect({ service: name, environment, version, tags }).toMatchObject(said)
    if (!('service' in said)) expect(name).toBeUndefined()
    if (!('version' in said) && !members.tags) expect(version).toBeUndefined()
  },
)

test('lists, releases, queries and the client filter by them', async () => {
  const make = (members: object) => created(service, { datasets: ['shop'], type: 'deploy', time: TIME, ...members })
  const a = await make({ title: 'basket 1.2.3', type: 'production-deploy', tags: ['canary', 'blue'] })
  const b = await make({ service: 'basket', environment: 'staging', version: '1.2.4', tags: ['blue'] })
  const c = await make({ title: 'Something for everybody' })
  expect(await ids('?service=basket&datasets=shop')).toEqual([a.id, b.id])
  expect(await ids('?service=basket&environment=production,other')).toEqual([a.id])
  expect(await ids('?version=1.2.4&service=basket')).toEqual([b.id])
  expect(await ids('?environment=stg&service=basket')).toEqual([b.id])
  expect(await ids('?environment=live&service=basket')).toEqual([a.id])
  expect(await ids('?tag=blue,canary')).toEqual([a.id])
  // Nobody says of which service it is: the datasets have names.
  expect(await ids('?service=shop&datasets=shop')).toEqual([c.id])
  expect((await list(service, '?tag=blue&service=basket')).body[0]).toMatchObject({
    tags: ['canary', 'blue'],
    createdBy: expect.any(String),
  })
  await using client = createClient({ baseUrl: service.url, token: service.token })
  expect((await client.annotations.list({ service: ['basket'], tag: ['canary'] })).map(({ id }) => id)).toEqual([a.id])
  const range = { start: '2026-01-31T00:00:00Z', end: '2026-02-01T00:00:00Z' }
  const { releases } = await client.releases.list({ ...range, service: 'basket', version: ['1.2.4'] })
  expect(releases).toMatchObject([{ service: 'basket', environment: 'staging', version: '1.2.4', annotation: { id: b.id } }])
  const query =
    "['_annotations'] | where service == 'basket' and tags has 'blue' | project environment, version, tags | sort by version asc"
  const rows = await apl(service, query, { startTime: range.start, endTime: range.end })
  expect(rows.body.matches.map(({ data }) => data)).toEqual([
    { environment: 'production', version: '1.2.3', tags: ['canary', 'blue'] },
    { environment: 'staging', version: '1.2.4', tags: ['blue'] },
  ])
})

test('the typed client says them in a header, for services that refuse members they do not know', async () => {
  await using client = createClient({ baseUrl: service.url, token: service.token })
  const tags = { service: 'Straße "1"', environment: 'eu', version: '1', tags: ['😀'] }
  const { id } = await client.annotations.create({ datasets: ['client'], type: 'deploy', time: TIME, ...tags })
  expect(await client.annotations.get(id, { include: 'all' })).toMatchObject(tags)
  await client.annotations.change(id, { environment: '' })
  expect(await client.annotations.get(id, { include: 'all' })).not.toHaveProperty('environment')
})

test('what several jobs share keeps what one says, and what a person says over it', async () => {
  const headers = { 'annotation-key': 'tags', 'annotation-job': JSON.stringify({ run: '1', attempt: 1, job: 'a' }) }
  const { id } = (await create(service, { datasets: ['joint'], time: TIME, service: 'web', tags: ['a'] }, { headers })).body
  await ask(service, 'PUT', `/v2/annotations/${id}`, { body: { service: 'shop' } })
  await create(service, { datasets: ['joint'], time: TIME, service: 'web', tags: ['b'] }, { headers })
  expect(await whole(id)).toMatchObject({ service: 'shop', tags: ['b'] })
})

test.each([
  [{ service: 'a,b' }, {}, 'service'],
  [{ version: 'v'.repeat(101) }, {}, 'version'],
  [{ tags: 'canary' }, {}, 'tags'],
  [{ environment: 'x\ud800' }, {}, 'environment'],
  [{}, { 'annotation-tags': '{"tags":[1]}' }, 'tags'],
  [{}, { 'annotation-tags': '["web"]' }, 'Annotation-Tags'],
])('refuses %j with the headers %j and names it', async (members, headers, name) => {
  const refused = await create(service, { datasets: ['wrong'], time: TIME, ...members }, { headers })
  expect(refused.status).toBeGreaterThanOrEqual(400)
  expect(JSON.stringify(refused.body)).toContain(name)
})
