/**
 * Annotations of a dataset that was deleted: they stay, and belong to no dataset that has the name later.
 */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { expect, test } from '@jest/globals'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { genericEvent, signGeneric } from '../../edge/__tests__/platforms/webhooks.ts'
import { ask, CRUD, change, create, created, get, list, MONITOR, make, tokenWith } from './http.ts'
import { apl, ingest } from './query/ask.ts'

const service = serviceForTests({ args: ['--allow-private-notifications'] })

const TIME = '2026-01-01T00:00:00Z'
const RANGE = { startTime: '2025-12-31T00:00:00Z', endTime: '2026-01-02T00:00:00Z' }

async function deleteAndMakeAgain(name: string): Promise<void> {
  expect((await ask(service, 'DELETE', `/v2/datasets/${name}`)).status).toBe(204)
  await ingest(service, name, [{ by: 'somebody else' }])
}

const tokenOf = (name: string) =>
  tokenWith(service, {
    datasetCapabilities: { [name]: { query: ['read'] } },
    orgCapabilities: { annotations: CRUD, integrations: ['read'], monitors: ['read'], notifiers: ['read'] },
  })

test('a dataset that is made again has no marks of the one before it, whoever asks, and at whichever door', async () => {
  await ingest(service, 'reborn', [{ a: 1 }])
  const old = await created(service, { datasets: ['reborn'], type: 'production-deploy', time: TIME, title: 'old' })
  const shared = await created(service, { datasets: ['reborn', 'web'], time: TIME, title: 'shared' })
  const grafana = { text: 'by Grafana', tags: ['reborn', 'dataset:reborn'], time: Date.parse(TIME) }
  expect((await ask(service, 'POST', '/api/annotations', { body: grafana })).status).toBe(200)
  await deleteAndMakeAgain('reborn')
  const fresh = await created(service, { datasets: ['reborn'], time: TIME, title: 'fresh', type: 'production-deploy' })
  const token = await tokenOf('reborn')

  const titles = async (path: string, asker = service.token) =>
    (await ask<Annotation[]>(service, 'GET', path, { token: asker })).body.map(({ title }) => title)
  expect(await titles('/v2/annotations?datasets=reborn')).toEqual(['fresh'])
  expect(await titles('/v2/annotations', token)).toEqual(['fresh'])
  expect((await ask(service, 'GET', `/v2/annotations/${old.id}`, { token })).status).toBe(404)
  const queried = async (text: string, asker = service.token) =>
    (await apl({ ...service, token: asker }, text, RANGE)).body.tables[0]?.columns[0]
  expect(await queried("['_annotations'] | where datasets has 'reborn' | project title")).toEqual(['fresh'])
  expect(await queried("['_annotations'] | project title", token)).toEqual(['fresh'])
  const releases = await ask<{ releases: { annotation: Annotation }[] }>(
    service,
    'GET',
    `/v2/releases?start=${RANGE.startTime}&end=${RANGE.endTime}&datasets=reborn`,
  )
  expect(releases.body.releases.map(({ annotation }) => annotation.id)).toEqual([fresh.id])
  for (const tag of ['reborn', 'dataset:reborn']) {
    const { body } = await ask<{ text: string }[]>(service, 'GET', `/api/annotations?tags=${tag}`)
    expect(body.map(({ text }) => text)).toEqual(['fresh'])
  }
  expect((await get(service, shared.id)).body.datasets).toEqual(['reborn (deleted)', 'web'])
})

test('nothing is lost: the marks are listed, changed, and put on a dataset again', async () => {
  await ingest(service, 'lost', [{ a: 1 }])
  const { id } = await created(service, { datasets: ['lost'], time: TIME, title: 'kept' })
  await deleteAndMakeAgain('lost')
  const read = await get(service, id)
  expect(read.body).toMatchObject({ datasets: ['lost (deleted)'], title: 'kept' })
  expect((await list(service)).body).toContainEqual(read.body)
  // A client that sends back what it read, with another title.
  const sentBack = await change(service, id, { ...read.body, title: 'changed' })
  expect([sentBack.status, sentBack.body.datasets]).toEqual([200, ['lost (deleted)']])
  expect((await list(service, '?datasets=lost')).body).toEqual([])
  expect((await change(service, id, { datasets: ['lost'] })).body.datasets).toEqual(['lost'])
  expect((await list(service, '?datasets=lost')).body).toMatchObject([{ id }])
})

test('marks that were posted before there was a dataset are on it, and those after a deletion on the next one', async () => {
  const early = await created(service, { datasets: ['later'], time: TIME })
  await ingest(service, 'later', [{ a: 1 }])
  expect((await list(service, '?datasets=later')).body).toEqual([early])
  expect((await ask(service, 'DELETE', '/v2/datasets/later')).status).toBe(204)
  const between = await created(service, { datasets: ['later'], time: TIME })
  await ingest(service, 'later', [{ a: 1 }])
  expect((await list(service, '?datasets=later')).body).toEqual([between])
})

test('who is limited to the other datasets of a mark may change and delete it', async () => {
  for (const name of ['gone-side', 'left-side']) await ingest(service, name, [{ a: 1 }])
  const { id } = await created(service, { datasets: ['gone-side', 'left-side'] })
  const token = await tokenOf('left-side')
  const rename = () => ask<Annotation>(service, 'PUT', `/v2/annotations/${id}`, { token, body: { title: 'mine' } })
  expect((await rename()).status).toBe(403)
  await deleteAndMakeAgain('gone-side')
  expect((await rename()).body).toMatchObject({ datasets: ['gone-side (deleted)', 'left-side'], title: 'mine' })
  expect((await ask(service, 'DELETE', `/v2/annotations/${id}`, { token })).status).toBe(204)
})

test('jobs that share a mark do not put it on the next dataset, unless one says so again', async () => {
  await ingest(service, 'joint', [{ a: 1 }])
  const say = (job: string, datasets: string[]) => {
    const saying = JSON.stringify({ run: '1', attempt: 1, job })
    return create(service, { datasets, time: TIME }, { headers: { 'Annotation-Key': 'joint run', 'Annotation-Job': saying } })
  }
  const { id } = (await say('a', ['joint'])).body
  await deleteAndMakeAgain('joint')
  expect((await say('b', ['web'])).body).toMatchObject({ id, datasets: ['joint (deleted)', 'web'] })
  expect((await change(service, id, { title: 'by hand' })).body.datasets).toEqual(['joint (deleted)', 'web'])
  expect((await list(service, '?datasets=joint')).body).toEqual([])
  expect((await say('a', ['joint'])).body).toMatchObject({ id, datasets: expect.arrayContaining(['joint']) })
})

test('what a token made that named the dataset neither reads, marks nor tells of the next one, and goes on for the rest', async () => {
  for (const name of ['team', 'left']) await ingest(service, name, [{ secret: 'mine' }])
  const all = { query: ['read'] }
  const made = ['create', 'read', 'update']
  const limited = await tokenWith(service, {
    datasetCapabilities: { team: all, left: all },
    orgCapabilities: { annotations: ['create', 'read'], integrations: made, monitors: made, notifiers: made },
  })
  const post = (path: string, body: object, by = limited) => make<{ id: string; secret: string }>(service, path, body, by)
  const question = { ...MONITOR, aplQuery: "['team'] | summarize count()", rangeMinutes: 60 }
  const monitor = await post('/v2/monitors', { ...question, name: 'theirs', datasets: ['team'] })
  const open = await post('/v2/monitors', { ...question, name: 'of all', datasets: ['team'] }, service.token)
  const properties = { webhook: { url: 'http://127.0.0.1:9/' } }
  const notifier = await post('/v2/notifiers', { name: 'theirs', properties, events: ['failure'], datasets: ['team', 'left'] })
  const rules = [
    { projects: ['one'], datasets: ['team'] },
    { projects: ['two'], datasets: ['left'] },
  ]
  const theirs = await post('/v2/integrations', { platform: 'generic', datasets: ['team'], rules })
  const ours = await post('/v2/integrations', { platform: 'generic', datasets: ['team'] }, service.token)
  await deleteAndMakeAgain('team')
  const next = await tokenOf('team')

  const deploy = async ({ secret }: { secret: string }, members: object = {}) => {
    const event = genericEvent('started', TIME, { deployment: `after-${Math.random()}`, ...members })
    const { body, headers } = signGeneric(event, secret)
    const answer = await ask<{ annotation: string }>(service, 'POST', '/v1/integrations/generic', { token: null, body, headers })
    return (await get(service, answer.body.annotation)).body.datasets
  }
  expect(await deploy(theirs)).toEqual(['team (deleted)'])
  expect(await deploy(theirs, { project: 'one' })).toEqual(['team (deleted)'])
  expect(await deploy(theirs, { project: 'two' })).toEqual(['left'])
  expect(await deploy(ours)).toEqual(['team'])

  const show = async (path: string, token: string) => (await ask<Record<string, unknown>>(service, 'GET', path, { token })).body
  expect(await show(`/v2/notifiers/${notifier.id}`, service.token)).toMatchObject({ datasets: ['team (deleted)', 'left'] })
  expect(await show(`/v2/monitors/${monitor.id}`, service.token)).toMatchObject({ datasets: ['team (deleted)'] })
  expect(await show(`/v2/monitors/${open.id}`, service.token)).toMatchObject({ datasets: ['team'] })
  // Whoever has the next dataset does not learn of what others made of the one before.
  for (const path of [`/v2/integrations/${theirs.id}`, `/v2/notifiers/${notifier.id}`, `/v2/monitors/${monitor.id}`])
    expect([path, await show(path, next)]).toEqual([path, expect.objectContaining({ code: 404 })])
  // Who may mark the next one says so again.
  const moved = await ask(service, 'PUT', `/v2/integrations/${theirs.id}`, { body: { datasets: ['team'], rules: [] } })
  expect([moved.status, await deploy(theirs)]).toEqual([200, ['team']])
  await deleteAndMakeAgain('team')
  expect(await deploy(theirs)).toEqual(['team'])
})
