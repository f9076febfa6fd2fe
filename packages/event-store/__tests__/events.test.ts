import { parseTimestamp } from '@deployment-annotations/contract/timestamp'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { readYaml } from '../../../__tests__/support/read-yaml.ts'
import { IN_REST } from '../src/fields/field.ts'
import { FieldTree } from '../src/fields/field-tree.ts'
import { RECEIVED_NS, readBody } from './read-body.ts'

const CASES = readYaml<{ times: [time: string | number, ns: string][]; refused: [value: string, reason: string][] }>(
  import.meta.url,
  'events.yaml',
)

test.each([...CASES.times, [null, RECEIVED_NS]])('_time %j is %s ns, and a number as a text, too', async (time, expected) => {
  const { times, data } = await readBody(JSON.stringify([{ a: 1, _time: time, b: 2 }, { _time: time && String(time) }]))
  expect(times).toEqual([expected, expected])
  expect(data.map((text) => JSON.parse(text) as unknown)).toEqual([{ a: 1, b: 2 }, {}])
})

test('nanoseconds as a number are not rounded', async () => {
  expect((await readBody('{"_time":1704067200123456789}')).times).toEqual(['1704067200123456789'])
})

test.each(['"yesterday"', '"2024-02-30"', '"2300-01-01"', '"20240506"', '""', 'true', '{}', '1e30', '"0001-01-01T00:00:00Z"'])(
  '_time %s fails its event and no other',
  async (time) => {
    const { data, failures } = await readBody(`[{"n":0},{"_time":${time}},{"n":2}]`)
    expect(data).toEqual(['{"n":0}', '{"n":2}'])
    expect(failures).toEqual([{ timestamp: '2026-01-02T03:04:05Z', error: expect.stringMatching(/^event 1: the time .*/) }])
  },
)

test('the quick reader of times agrees with the thorough one', async () => {
  const digits = (max: number, length: number) => fc.integer({ min: 0, max }).map((n) => String(n).padStart(length, '0'))
  const time = fc
    .tuple(
      digits(2262, 4),
      digits(13, 2),
      digits(32, 2),
      digits(24, 2),
      digits(60, 2),
      digits(60, 2),
      fc.option(fc.stringMatching(/^\.\d{0,10}$/)),
    )
    .map(([y, mo, d, h, mi, s, f]) => `${y}-${mo}-${d}T${h}:${mi}:${s}${f ?? ''}Z`)
  const texts = fc.sample(time, { numRuns: 3_000, seed: 7 })
  const { times, failures } = await readBody(texts.map((text) => JSON.stringify({ _time: text })).join('\n'))
  const expected = texts
    .map((text) => parseTimestamp(text))
    .filter((ns) => ns !== undefined && ns >= -2_208_988_800_000_000_000n && ns < 2n ** 63n)
  expect(times).toEqual(expected.map(String))
  expect(failures).toHaveLength(texts.length - expected.length)
})

test('the request may name the time field and how it is written', async () => {
  const { times, data, fields } = await readBody('[{"at":"02/Jan/2024:15:04:05 +0100","_time":7},{"at":"nonsense"},{"b":1}]', {
    timestampField: 'at',
    timestampFormat: '02/Jan/2006:15:04:05 -0700',
  })
  expect(times).toEqual(['1704204245000000000', RECEIVED_NS])
  expect(data).toEqual(['{"_user_time":7}', '{"b":1}'])
  expect(fields).toEqual({ _user_time: 'integer', b: 'integer' })
})

test('labels become fields of every event that has none of that name', async () => {
  const { data, fields } = await readBody('[{"env":"own"},{}]', {
    labels: '{"env":"prod","big":9007199254740993,"a.b":{"c":[1]}}',
  })
  expect(data).toEqual([
    '{"env":"own","big":9007199254740993,"a%2Eb":{"c":[1]}}',
    '{"env":"prod","big":9007199254740993,"a%2Eb":{"c":[1]}}',
  ])
  expect(fields).toEqual({ env: 'string', big: 'integer', 'a\\.b.c': 'array' })
})

test('of labels the last of two equal ones counts, and one beyond the last field is kept beside the events', async () => {
  const tree = new FieldTree(1)
  const { data, rest, fields } = await readBody('[{"a":1},{"a":{"env":2}}]', {
    tree,
    labels: '{"env":"old","env":"prod","n":{"m":-0}}',
  })
  expect([data, rest]).toEqual([
    ['{"env":"prod"}', '{"env":"prod"}'],
    [
      { a: '1', 'n.m': '-0.0' },
      { 'a.env': '2', 'n.m': '-0.0' },
    ],
  ])
  expect(fields).toEqual({ env: 'string' })
})

test('names: dots in keys and nesting are apart, reserved ones get _user in front, the last of two equal ones counts', async () => {
  const { data, rest, fields, failures } = await readBody(
    '[{"a.b":1,"a":{"b":2}},{"_sysTime":1,"_rowID":{"x":2}},{"d":1,"e":12345678901234567890,"d":2},{"_cursor":1,"_user_cursor":2},{"a%b":[{"x.y":1}]}]',
  )
  expect(data).toEqual([
    '{"a%2Eb":1,"a":{"b":2}}',
    '{"_user_sysTime":1,"_user_rowID":{"x":2}}',
    '{"d":2,"e":12345678901234567890}',
    '{}',
  ])
  expect(rest[3]).toEqual({ 'a%25b': '[{"x%2Ey":1}]' })
  expect(failures.map(({ error }) => error)).toEqual(['event 3: two of its fields would have the same name'])
  expect(fields).toEqual({
    'a\\.b': 'integer',
    'a.b': 'integer',
    _user_sysTime: 'integer',
    '_user_rowID.x': 'integer',
    d: 'integer',
    e: 'integer',
    'a%b': 'array',
  })
})

test.each([
  ...CASES.refused,
  [`"${'x'.repeat(1_048_577)}"`, 'a string of 1048579 bytes'],
  [`{"${'k'.repeat(201)}":1}`, 'is longer than 200 bytes'],
  [`{${Array.from({ length: 10_001 }, (_, n) => `"m${n}":1`)}}`, 'it has more than 10000 members outside of its arrays'],
  [`${'['.repeat(101)}${']'.repeat(101)}`, 'nested deeper than 100'],
])('%.40s cannot be kept, which costs its event only', async (value, reason) => {
  const { data, failures, fields } = await readBody(`[{"n":0},{"v":${value}},{"n":2}]`)
  expect(data).toEqual(['{"n":0}', '{"n":2}'])
  expect(failures.map(({ error }) => error)).toEqual([expect.stringContaining(`event 1: `)])
  expect(failures[0]?.error).toContain(reason)
  expect(fields).toEqual({ n: 'integer' })
})

test.each([
  '[9007199254740993,0.5]',
  '[9007199254740993]',
  '[null,[1]]',
  '[[null],[[1]]]',
  '[{"a":[[],null]}]',
  '[{"a.b":[[],null]}]',
])('%s, which has no type of the engine or would be changed by it, is kept as it is beside the event', async (value) => {
  const { data, failures, rest, fields } = await readBody(`[{"v":[0.5]},{"v":${value},"n":1},{"v":[[1]]}]`)
  expect(failures).toEqual([])
  expect(data).toEqual(['{"v":[0.5]}', '{"n":1}', '{}'])
  expect(rest).toEqual([{}, { v: value.replace('a.b', 'a%2Eb') }, { v: '[[1]]' }])
  expect(fields).toEqual({ v: 'array', n: 'integer' })
})

test('members beyond the 1,024th field are kept beside the event, in whichever request they come', async () => {
  const tree = new FieldTree(1_024)
  const event = (from: number, to: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: to - from }, (_, i) => [`f${from + i}`, 1])))
  await readBody(event(0, 1_000), { tree })
  const more = '{"f1024":-0,"user":{"id.1":{"n":[{"x.y":1}]}},"f3":"known"}'
  const { data, failures, rest } = await readBody([event(1_000, 1_025), event(1_000, 1_024), event(5, 10), more].join('\n'), {
    tree,
  })
  expect(failures).toEqual([])
  expect(data[3]).toBe('{"f3":"known"}')
  expect(rest).toEqual([{ f1024: '1' }, {}, {}, { f1024: '-0.0', 'user.id%2E1.n': '[{"x%2Ey":1}]' }])
  expect([tree.size, tree.hasUnlisted]).toEqual([1_024, true])
})

test('a field for which there is a place later may have values beside the events, and one that was removed makes a place', async () => {
  const tree = new FieldTree(2)
  expect(await readBody('{"a":1,"b":2,"c":3}', { tree })).toMatchObject({ rest: [{ c: '3' }] })
  tree.load('a', 0)
  expect(tree.size).toBe(1)
  expect(await readBody('{"c":4,"a":1}', { tree })).toMatchObject({ data: ['{"c":4}'], rest: [{ a: '1' }] })
  expect([...tree.root.fields()].map(({ name, types }) => [name, types & IN_REST])).toEqual([
    ['b', 0],
    ['c', IN_REST],
  ])
})

test('however a body is cut into chunks, it is read alike', async () => {
  const events = fc.array(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(events, fc.boolean(), fc.integer({ min: 1, max: 40 }), async (list, isArray, chunkBytes) => {
      const body = isArray ? JSON.stringify(list, null, 1) : list.map((event) => JSON.stringify(event)).join('\n')
      if (body === '') return
      const whole = await readBody(body)
      expect(whole.data.length + whole.failed).toBe(list.length)
      expect(await readBody(body, { chunkBytes })).toEqual(whole)
    }),
    { numRuns: 300 },
  )
})
