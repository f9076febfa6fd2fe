/** An annotation that several jobs share by a key: the merge as a law, and on the running service at any order and concurrency. */
import { formatJob } from '@deployment-annotations/contract/annotation-job'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { beginState, mergeStates, parseState, readState } from '../src/annotations/joint-annotation.ts'
import { change, create, get } from './http.ts'

const service = serviceForTests()

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString().replace('.000', '')

interface Saying {
  attempt: number
  /** Its name is the same in every attempt. */
  job: string
  name?: string | undefined
  start: number
  end?: number | undefined
  failed: boolean
  dataset: string
}
const sayings = fc
  .array(
    fc.record({
      attempt: fc.constantFrom(1, 1, 1, 2, 3),
      job: fc.constantFrom('eu', 'us', 'ap', 'us again'),
      start: fc.nat(9),
      end: fc.option(fc.integer({ min: 10, max: 19 }), { nil: undefined }),
      failed: fc.boolean(),
      dataset: fc.constantFrom('web', 'api'),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((list): Saying[] => list.map((saying) => ({ ...saying, job: `${saying.job} ${saying.attempt}`, name: nameOf(saying) })))
/** Two steps of the job in us have one name, and the job in ap has none. */
const nameOf = ({ job }: Pick<Saying, 'job'>) => (job === 'ap' ? undefined : job.slice(0, 2))

const describe = ({ job, start, end, failed, dataset }: Saying) => ({
  datasets: [dataset],
  type: failed ? 'failed-deploy' : 'deploy',
  title: `to ${job} from ${start}`,
  description: 'Shop **v2**',
  time: at(start),
  ...(end !== undefined && { endTime: at(end) }),
})
const partOf = ({ attempt, job, name, start, end, failed }: Saying) => ({
  run: '7001',
  attempt,
  job: job.replaceAll(' ', '-'),
  ...(name !== undefined && { name }),
  failed,
  ...(end !== undefined && { line: `${failed ? 'failure' : 'success'} in ${job} after ${end - start} s` }),
})
const stateOf = (saying: Saying) => {
  const { time, endTime, ...rest } = describe(saying)
  const ns = (text: string) => BigInt(Date.parse(text)) * 1_000_000n
  return beginState({ ...rest, timeNs: ns(time), ...(endTime && { endTimeNs: ns(endTime) }) }, partOf(saying))
}

test('a merge is commutative, associative and idempotent', () => {
  const merged = (list: Saying[]) => list.map(stateOf).reduce(mergeStates)
  fc.assert(
    fc.property(sayings, sayings, (some, others) => {
      const [a, b] = [merged(some), merged(others)]
      expect(mergeStates(a, b)).toEqual(mergeStates(b, a))
      expect(mergeStates(a, b)).toEqual(merged([...some, ...others].reverse()))
      expect(mergeStates(mergeStates(a, b), b)).toEqual(mergeStates(a, b))
    }),
  )
})

test('failure sticks, the start is the first, the end the last, datasets are united, and each line stays', () => {
  fc.assert(
    fc.property(sayings, (list) => {
      const counting = list.filter(({ name, attempt }) => !list.some((other) => other.name === name && other.attempt > attempt))
      const { type, timeNs, endTimeNs, datasets, description } = readState(list.map(stateOf).reduce(mergeStates))
      const ends = counting.flatMap(({ end }) => end ?? [])
      const lines = new Set(counting.map((saying) => partOf(saying).line))
      expect(
        description
          ?.split('\n\n')
          .slice(1)
          .filter((line) => !lines.has(line)),
      ).toEqual([])
      expect({ type, datasets, time: Number(timeNs / 1_000_000n), end: endTimeNs && Number(endTimeNs / 1_000_000n) }).toEqual({
        type: counting.some(({ failed }) => failed) ? 'failed-deploy' : 'deploy',
        datasets: [...new Set(counting.map(({ dataset }) => dataset))].sort(),
        time: Date.parse(at(Math.min(...counting.map(({ start }) => start)))),
        end: ends.length === 0 ? undefined : Date.parse(at(Math.max(...ends))),
      })
    }),
  )
})

const say = (key: string, saying: Saying) =>
  create(service, describe(saying), { headers: { 'Annotation-Key': key, 'Annotation-Job': formatJob(partOf(saying)) } })
const job = (name: string, more: Partial<Saying> = {}): Saying => ({
  attempt: 1,
  job: name,
  start: 0,
  failed: false,
  dataset: 'web',
  ...more,
})

test('whatever order and however many at once, and however often, it is the same annotation', async () => {
  const jobs = Array.from({ length: 12 }, (_, n) =>
    job(`job-${n}`, { start: n, failed: n === 5, dataset: n % 2 ? 'web' : 'api' }),
  )
  const all = jobs.flatMap((open) => [open, { ...open, end: 20 + open.start }, { ...open, end: 20 + open.start }])
  for (const [key, list] of [
    ['forward', all],
    ['backward', all.toReversed()],
  ] as const)
    for (const saying of list) await say(key, saying)
  await Promise.all(all.map((saying) => say('at once', saying)))
  const [forward, ...others] = await Promise.all(
    ['forward', 'backward', 'at once'].map(async (key) => {
      const { id, ...rest } = (await say(key, job('job-0'))).body
      return rest
    }),
  )
  expect(others).toEqual([forward, forward])
  expect(forward?.description?.match(/ in job-\d+ after /g)).toHaveLength(12)
})

const said = (name: string, attempt: number, more: Partial<Saying> = {}) =>
  job(`${name} ${attempt}`, { attempt, name, dataset: `web-${name}`, ...more })
const EU = said('eu', 1, { end: 10 })
const US = said('us', 1, { end: 11 })
const AP = said('ap', 1, { end: 12, failed: true })
const AGAIN = said('ap', 2, { start: 30, end: 34 })
const open = (saying: Saying) => ({ ...saying, end: undefined })
const withoutId = ({ body: { id: _, ...rest } }: Awaited<ReturnType<typeof say>>) => rest

test('failed jobs that run again replace their own lines, whatever the order and however many at once, and keep the others', async () => {
  const all = [EU, US, AP, AGAIN].flatMap((saying) => [open(saying), saying, saying])
  const lists = [all, all.toReversed(), ...fc.sample(fc.shuffledSubarray(all, { minLength: all.length }), 3)]
  for (const [n, list] of lists.entries()) for (const saying of list) await say(`rerun ${n}`, saying)
  await Promise.all(all.map((saying) => say('rerun at once', saying)))
  const keys = [...lists.map((_, n) => `rerun ${n}`), 'rerun at once']
  for (const key of keys)
    expect(withoutId(await say(key, open(EU)))).toEqual({
      datasets: ['web-ap', 'web-eu', 'web-us'],
      type: 'deploy',
      title: 'to ap 2 from 30',
      description: 'Shop **v2**\n\nsuccess in eu 1 after 10 s\n\nsuccess in us 1 after 11 s\n\nsuccess in ap 2 after 4 s',
      time: at(0),
      endTime: at(34),
    })
})

test('what was stored before each job had times and datasets of its own is read', () => {
  const { words, ...rest } = stateOf(EU)
  const [[job, { attempt: _, time, endTime, datasets, ...word }]] = Object.entries(words) as [[string, (typeof words)[string]]]
  const stored = JSON.stringify({ ...rest, time, endTime, datasets, words: { [job]: { ...word, name: undefined } } })
  const read = parseState(stored, (name) => name)
  expect(readState(read)).toEqual(readState(stateOf(EU)))
  expect(readState(mergeStates(read, stateOf(AGAIN))).datasets).toEqual(['web-ap', 'web-eu'])
})

test('what somebody changes by the id holds when other jobs speak', async () => {
  const { body } = await say('edited', job('eu'))
  await change(service, body.id, { title: 'Rolled out', description: 'to 5 regions', url: 'https://example.org' })
  await say('edited', job('us', { end: 12, failed: true }))
  expect((await get(service, body.id)).body).toMatchObject({
    title: 'Rolled out',
    url: 'https://example.org',
    type: 'failed-deploy',
    endTime: at(12),
    description: 'to 5 regions\n\nfailure in us after 12 s',
  })
})

test('of more lines than fit those of failures come first, and the others are counted', async () => {
  const lines = Array.from({ length: 40 }, (_, n) => job(`region-${n}`, { end: 10 + n, failed: n === 39 }))
  for (const saying of lines) await say('many', saying)
  const { description = '' } = (await say('many', job('region-0'))).body
  expect([...description].length).toBeLessThanOrEqual(512)
  expect(description).toMatch(/^Shop \*\*v2\*\*\n\nfailure in region-39 after .*\n\nand \d+ more$/s)
})

test.each(['', '{}', '{"run":"a b","attempt":1,"job":"x"}', '{"run":"","attempt":-1,"job":"x"}'])(
  'an Annotation-Job that cannot be read is refused: %j',
  async (job) => {
    const { status, body } = await create(service, {}, { headers: { 'Annotation-Key': 'wrong', 'Annotation-Job': job } })
    expect([status, body.message]).toEqual([400, expect.stringContaining('Annotation-Job must be JSON')])
  },
)

test('jobs together name no more datasets than one annotation may have', async () => {
  const names = (job: string) => Array.from({ length: 70 }, (_, n) => `${job}-${n}`)
  const sayAll = (name: string, datasets: string[]) => {
    const job = formatJob({ run: '1', attempt: 1, job: name })
    return create(service, { datasets, time: at(0) }, { headers: { 'Annotation-Key': 'wide', 'Annotation-Job': job } })
  }
  expect((await sayAll('eu', names('eu'))).status).toBe(201)
  const { status, body } = await sayAll('us', names('us'))
  expect([status, body.code, body.message]).toEqual([422, 611, expect.stringContaining('140 datasets')])
  expect((await sayAll('us', names('us').slice(0, 30))).body.datasets).toHaveLength(100)
})
