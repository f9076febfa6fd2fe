/**
 * Services that keep the contract in their own way: what they do to what they are given, with proper answers and with one that is lost.
 * There is one annotation, and it is closed; or an honest word.
 */
import { expect, test } from '@jest/globals'
import { runAction, runPost } from '../support/run-action.ts'
import { type Act, type Manner, reset, startScriptedService } from '../support/scripted-service.ts'

/** @param digits that are kept of a second */
const cutTimes = (digits: number): Manner => ({
  keep: (member, value) =>
    /time$/i.test(member)
      ? String(value).replace(/(\.\d+)?Z$/, (all) => `${digits === 0 ? '' : all.slice(0, digits + 1)}Z`)
      : value,
})
const texts = (change: (text: string) => string): Manner => ({
  keep: (member, value) => (['title', 'description'].includes(member) ? change(String(value)) : value),
})

const manners: [string, Manner][] = [
  ['null for what is absent', { absent: { endTime: null, title: null, description: null, url: null } }],
  ['an empty text for what is absent', { absent: { endTime: '', title: '', url: '' } }],
  ['members that nobody knows', { absent: { createdBy: { name: 'x' }, tags: [null] } }],
  ['times to the microsecond', cutTimes(6)],
  ['times to the millisecond', cutTimes(3)],
  ['times to the second', cutTimes(0)],
  ['times rounded to the millisecond', { keep: (member, value) => (/time$/i.test(member) ? toMillis(String(value)) : value) }],
  ['lines that end with CRLF', texts((text) => text.replaceAll('\n', '\r\n'))],
  ['texts in NFC', texts((text) => text.normalize('NFC'))],
  ['texts without spaces around them', texts((text) => text.trim())],
  ['links with a slash', { keep: (member, value) => (member === 'url' ? `${value}/` : value) }],
  ['datasets in its own order', { keep: (member, value) => (member === 'datasets' ? [...(value as string[])].sort() : value) }],
]

/** In the nearest millisecond. */
function toMillis(time: string): string {
  const [whole = '', fraction = ''] = time.slice(0, -1).split('.')
  return new Date(Date.parse(`${whole}Z`) + Math.round(Number(`0.${fraction || 0}`) * 1_000)).toISOString()
}

const inputsOf = (service: { url: string }) => ({
  token: 'xaat-1',
  datasets: 'web, api',
  type: 'deploy',
  endTime: 'job-end',
  title: ' Cafe\u0301',
  description: 'one\ntwo ',
  url: 'https://ci/7',
  // A slash too many is not a part of the address.
  baseUrl: `${service.url}/`,
})

const lost: Act = { ...reset, commit: true }
const cases = manners.flatMap(([name, manner]) => [
  { name, answers: 'proper answers', manner },
  { name, answers: 'a lost answer', manner, act: lost },
])

test.concurrent.each(cases)('$name, $answers: one annotation, and it is closed', async ({ manner, act }) => {
  await using service = await startScriptedService({ POST: (count) => (count === 1 ? act : undefined) }, { manner })
  const inputs = inputsOf(service)
  const main = await runAction(inputs)
  expect(main).toMatchObject({ exitCode: 0, errors: [], warnings: [], outputs: { outcome: 'created', id: 'ann_1' } })
  const post = await runPost(main, inputs)
  expect(post).toMatchObject({ exitCode: 0, warnings: [], errors: [] })
  expect(service.stored).toMatchObject([{ endTime: expect.any(String), description: expect.stringContaining('success after') }])
})

const time = () => new Date().toISOString()
const siblings = () =>
  Array.from({ length: 3 }, (_, n) => ({ id: `ann_other${n}`, datasets: ['web'], type: 'deploy', time: time() }))

test.concurrent('a page that has no room for ours among others of the same second: it is looked for in its millisecond', async () => {
  const manner: Manner = { list: (_, asked) => asked.slice(0, 3) }
  await using service = await startScriptedService(
    {
      POST: (count) => {
        if (count === 1) service.stored.push(...siblings())
        return count === 1 ? lost : undefined
      },
    },
    { manner },
  )
  const run = await runAction(inputsOf(service))
  expect(run).toMatchObject({ exitCode: 0, warnings: [], outputs: { id: 'ann_1' } })
  expect(service.stored).toHaveLength(4)
})

test.concurrent.each<[string, Manner]>([
  ['ignores the filter and shows the oldest', { list: (all) => all.slice(0, 1) }],
  ['says that there are more', { list: () => [], listHeaders: { link: '</v2/annotations?page=2>; rel="next"' } }],
])('a list that %s is not believed: it is sent once more, and that there may be two is said', async (_, manner) => {
  await using service = await startScriptedService({ POST: (count) => (count === 1 ? lost : undefined) }, { manner })
  service.stored.push({ id: 'ann_old', datasets: ['web'], type: 'deploy', time: '2020-01-01T00:00:00Z' })
  const run = await runAction(inputsOf(service))
  expect(run).toMatchObject({ exitCode: 0, outputs: { outcome: 'created' } })
  expect(run.warnings).toEqual([
    expect.stringMatching(/an answer was lost and the list does not show all annotations, so there may be/),
  ])
  expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(2)
})

test.concurrent('a service that stores two of one request whose answer is lost has one in the end', async () => {
  await using service = await startScriptedService({
    POST: (count, { body }) => {
      if (count === 1) service.stored.push({ ...JSON.parse(body), id: 'ann_second' })
      return count === 1 ? lost : undefined
    },
  })
  const inputs = { ...inputsOf(service), endTime: '' }
  const main = await runAction(inputs)
  await runPost(main, inputs)
  expect(service.stored).toMatchObject([{ id: main.outputs.id }])
})
