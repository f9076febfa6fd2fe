import { expect, test } from '@jest/globals'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { readCases } from './cases.ts'
import { change, created, get, list, remove, WHOLE } from './http.ts'

const service = serviceForTests()

test.each(readCases<[member: string, value: unknown][]>(import.meta.url))(
  'a change of %s answers the full annotation and leaves the other members',
  async (member, value) => {
    const annotation = await created(service, WHOLE)
    const { status, body } = await change(service, annotation.id, { [member]: value })
    expect(status).toBe(200)
    expect(body).toEqual({ ...annotation, [member]: value })
    expect((await get(service, annotation.id)).body).toEqual(body)
  },
)

test('null counts as not sent, and an empty change answers the annotation as it is', async () => {
  const annotation = await created(service, WHOLE)
  const nothing = Object.fromEntries(Object.keys(WHOLE).map((member) => [member, null]))
  for (const members of [nothing, {}])
    expect(await change(service, annotation.id, members)).toMatchObject({ status: 200, body: annotation })
})

test('an empty text unsets title, description and url', async () => {
  const { id } = await created(service, WHOLE)
  const { body } = await change(service, id, { title: '', description: '', url: '' })
  const { title, description, url, ...rest } = WHOLE
  expect(body).toEqual({ id, ...rest })
  expect((await get(service, id)).body).toEqual(body)
})

test('endTime is checked against the time that is stored', async () => {
  const { id } = await created(service, { time: '2026-01-02T00:00:00Z' })
  const answer = await change(service, id, { endTime: '2026-01-01T00:00:00Z' })
  expect(answer).toMatchObject({ status: 422, body: { code: 609, message: expect.stringContaining('endTime') } })
  expect((await get(service, id)).body.endTime).toBeUndefined()
  expect((await change(service, id, { endTime: '2026-01-02T00:00:00Z' })).status).toBe(200)
})

test('time is checked against the endTime that is stored', async () => {
  const { id } = await created(service, WHOLE)
  expect((await change(service, id, { time: '2026-01-01T01:00:00.000000001Z' })).status).toBe(422)
})

test('time and endTime can move together past their old values', async () => {
  const { id } = await created(service, WHOLE)
  expect((await change(service, id, { time: '2027-01-01T00:00:00Z', endTime: '2027-01-02T00:00:00Z' })).status).toBe(200)
})

test('an unknown annotation cannot be read, changed or deleted: 404', async () => {
  const unknown = 'ann_00000000000000000000000000'
  expect(await get(service, unknown)).toMatchObject({
    status: 404,
    body: { code: 404, message: expect.stringContaining(unknown) },
  })
  expect((await change(service, unknown, { title: 'x' })).status).toBe(404)
  expect((await remove(service, unknown)).status).toBe(404)
})

test.each(['foo', 'ann_', 'ann_%00', "ann_'", `ann_${'x'.repeat(65)}`, 'ANN_1', '%20'])(
  'an id like %j is malformed: 400',
  async (id) => {
    expect(await get(service, id)).toMatchObject({ status: 400, body: { code: 400 } })
    expect((await change(service, id, {})).status).toBe(400)
    expect((await remove(service, id)).status).toBe(400)
  },
)

test('a deleted annotation answers 204 with no body, and is gone', async () => {
  const { id } = await created(service, { datasets: ['gone'] })
  const { status, body } = await remove(service, id)
  expect({ status, body }).toEqual({ status: 204, body: '' })
  expect((await get(service, id)).status).toBe(404)
  expect((await list(service, '?datasets=gone')).body).toEqual([])
  expect((await remove(service, id)).status).toBe(404)
})

test('changes of different members at the same moment all survive', async () => {
  const ROUNDS = 20
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await created(service, WHOLE)
    const wanted = {
      title: `t${round}`,
      description: `d${round}`,
      url: `u${round}`,
      endTime: `2026-01-03T00:00:00.${round + 1}Z`,
    }
    const answers = await Promise.all(Object.entries(wanted).map(([member, value]) => change(service, id, { [member]: value })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const stored = (await get(service, id)).body
    expect({ round, ...stored }).toMatchObject({ round, title: `t${round}`, description: `d${round}`, url: `u${round}` })
    expect(stored.endTime).toBe(wanted.endTime.replace(/0+Z$/, 'Z'))
  }
})

test('two changes at the same moment that contradict each other cannot both be accepted', async () => {
  for (let round = 0; round < 10; round++) {
    const { id } = await created(service, { time: '2026-01-01T00:00:00Z', endTime: '2026-01-31T00:00:00Z' })
    const answers = await Promise.all([
      change(service, id, { time: '2026-01-20T00:00:00Z' }),
      change(service, id, { endTime: '2026-01-10T00:00:00Z' }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
  }
})

test('a change and a delete at the same moment leave no annotation behind', async () => {
  for (let round = 0; round < 10; round++) {
    const { id } = await created(service)
    const [changed, removed] = await Promise.all([change(service, id, { title: 'x' }), remove(service, id)])
    expect(removed?.status).toBe(204)
    expect([200, 404]).toContain(changed?.status)
    expect((await get(service, id)).status).toBe(404)
  }
})
