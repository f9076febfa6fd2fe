/** The service judges releases by what is in a Prometheus, by itself: the real one, with a past that is known. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import type { StoredAnnotation } from '@deployment-annotations/records/annotations/annotation-records'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { folderForTests } from '../../../../__tests__/support/for-tests.ts'
import { hasPrometheus, type Sample, startPrometheus } from '../../../../__tests__/support/prometheus.ts'
import { startScriptedService } from '../../../../__tests__/support/scripted-service.ts'
import { type MetricSource, openMetricSource, readMetricSources } from '../../src/automations/releases/metric-sources.ts'
import { readCases } from '../cases.ts'
import { created } from '../http.ts'
import { iso, MINUTE, roomForTests, START_MS, startDriven, until } from '../monitors/driven-service.ts'

if (!hasPrometheus) console.warn('skipped: this machine has no Prometheus')
const testWithPrometheus = hasPrometheus ? test : test.skip

const room = roomForTests()
const folder = folderForTests('metric-sources')
let prometheus: Awaited<ReturnType<typeof startPrometheus>> | undefined
beforeAll(async () => {
  // One service whose failures triple at the start of the clock, and one that goes on as before.
  const samples = (['shop', 'calm'] as const).flatMap((job): Sample[] => {
    const all: Sample[] = []
    let [good, bad] = [0, 0]
    for (let atMs = START_MS - 90 * MINUTE; atMs <= START_MS + 30 * MINUTE; atMs += 15_000) {
      const failed = 10 + (Math.round(atMs / 15_000) % 3) + (job === 'shop' && atMs > START_MS ? 20 : 0)
      good += 500 - failed
      bad += failed
      all.push({ series: `http_requests_total{job="${job}",code="200"}`, atMs, value: good })
      all.push({ series: `http_requests_total{job="${job}",code="500"}`, atMs, value: bad })
    }
    return all
  })
  if (hasPrometheus) prometheus = await startPrometheus(samples)
}, 60_000)
afterAll(async () => prometheus?.[Symbol.asyncDispose]())

function sourcesOf(entries: unknown): MetricSource[] {
  writeFileSync(join(folder, 'sources.json'), JSON.stringify(entries))
  return readMetricSources(join(folder, 'sources.json'))
}

const start = (metricSources: MetricSource[]) => startDriven(room, { releaseTypes: ['deploy'], metricSources })
type Service = Awaited<ReturnType<typeof start>>
const release = (service: Service, name: string, more: object = {}) =>
  created(service, { datasets: [name], type: 'deploy', title: `${name} 2.0.0`, time: iso(START_MS), ...more })

testWithPrometheus('a release of a service whose metrics are in a Prometheus is judged, without an event of it', async () => {
  writeFileSync(join(folder, 'token'), 'operator:secret-of-prometheus\n')
  await using service = await start(sourcesOf([{ url: prometheus?.url, tokenFile: 'token', types: ['deploy'] }]))
  const [shop, calm] = [await release(service, 'shop'), await release(service, 'calm')]
  const isWhole = ({ verdictDetails }: Annotation) => verdictDetails?.isEarly === false
  const worse = await service.judged(shop.id, isWhole)
  expect(worse).toMatchObject({
    verdict: 'worse',
    verdictDetails: { headline: expect.stringMatching(/^Errors .*: 2\.\d+ → /) },
  })
  expect(worse.verdictDetails?.series.map(({ name }) => name)).toEqual(['shop traffic', 'shop errors'])
  expect((await service.judged(calm.id, isWhole)).verdict).toMatch(/^(same|inconclusive)$/)
})

testWithPrometheus(
  'events and metrics of one name stand beside each other, and what a source is not for is judged by events alone',
  async () => {
    await using service = await start(sourcesOf([{ url: prometheus?.url, services: ['shop'], service: '{service}{code=~".+"}' }]))
    for (const name of ['shop', 'other']) {
      const events = Array.from({ length: 7_000 }, (_, at) => ({ _time: iso(START_MS - 60 * MINUTE + at * 600), status: 200 }))
      await service.ingest(name, events)
    }
    const [shop, other] = [await release(service, 'shop'), await release(service, 'other')]
    const names = async (id: string) => (await service.judged(id)).verdictDetails?.series.map(({ name }) => name)
    expect(await names(shop.id)).toEqual(['shop traffic', 'shop errors', 'shop traffic (Prometheus)', 'shop errors (Prometheus)'])
    expect(await names(other.id)).toEqual(['other traffic', 'other errors'])
    const { verdictDetails } = await service.judged((await release(service, 'other', { service: 'shop' })).id)
    expect(verdictDetails?.series.map(({ name }) => name)).toEqual(['other traffic', 'other errors'])
    expect(verdictDetails?.notes.join()).toMatch(/does not let other ask for the service "shop"$/)
  },
)

const { asked } = readCases<{ asked: [entry: object, annotation: object, found: string[] | string | null][] }>(import.meta.url)

testWithPrometheus(
  'an annotation asks for a service that the operator lets its dataset ask for, and hears of no other',
  async () => {
    for (const [entry, more, found] of asked) {
      const annotation = { datasets: ['web'], type: 'deploy', ...more } as StoredAnnotation
      const sources = sourcesOf([entry].flat().map((one) => ({ url: prometheus?.url, ...one })))
      const chosen = openMetricSource(sources, annotation, 10 * MINUTE)?.chooseQueries(START_MS)
      const shown = await chosen?.then((queries) => queries.map(({ name }) => name)).catch(({ message }: Error) => message)
      const expected = typeof found === 'string' ? expect.stringMatching(found) : (found ?? undefined)
      expect([entry, more, shown]).toEqual([entry, more, expected])
      expect(String(shown)).not.toContain('calm')
    }
  },
)

test('a source that is down is a note where there are events, is asked again, and tells no secret', async () => {
  writeFileSync(join(folder, 'token'), 'very-secret-token')
  let isUp = false
  await using down = await startScriptedService({
    POST: (_, { headers }) =>
      isUp
        ? { status: 200, body: '{"status":"success","data":{"result":[]}}' }
        : { status: 500, body: `no: ${String(headers.authorization)}` },
  })
  await using service = await start(sourcesOf([{ url: down.url, tokenFile: 'token' }]))
  const events = Array.from({ length: 7_000 }, (_, at) => ({ _time: iso(START_MS - 60 * MINUTE + at * 600), status: 200 }))
  await service.ingest('web', events)
  const web = await release(service, 'web')
  const { verdictDetails } = await service.judged(web.id)
  expect(verdictDetails?.notes.join()).toMatch(/,Prometheus could not be asked: the receiver answered 500: no: Bearer …$/)
  isUp = true
  const again = await service.judged(web.id, (one) => !one.verdictDetails?.notes.join().includes('could not'))
  expect(again.verdictDetails?.notes.join()).toMatch(/Prometheus has no metric of requests/)
  expect(service.lines.join()).not.toContain('very-secret')
})

test('a name that could be more than a name is not asked for', async () => {
  await using server = await startScriptedService({ POST: () => ({ status: 200, body: '{"data":{"result":[]}}' }) })
  await using service = await start(sourcesOf([{ url: server.url, service: '{service}{job="a"}' }]))
  const tricky = await release(service, 'tricky', { service: 'x"}) or vector(1) #' })
  const plain = await release(service, 'plain')
  await until(async () => {
    room.clock.advance(60_000)
    return server.requests.length > 0 || undefined
  }, 20_000)
  expect(server.requests.map(({ body }) => decodeURIComponent(body)).join()).not.toContain('vector(1)')
  expect([tricky.id, plain.id]).toHaveLength(2)
})

test.each([
  [{}, /must be a list of sources/],
  [[{ address: 'x' }], /source 1: it must be an object with a url/],
  [[{ url: 'prometheus:9090' }], /source 1: url must begin with https/],
  [[{ url: 'https://u:hidden@x' }], /source 1: url must .*have no password$/],
  [[{ url: 'https://x' }, { url: 'loki+https://x', tokenFile: 'absent' }], /absent cannot be read \(ENOENT\)/],
  [[{ url: 'https://x', services: 'shop' }], /source 1: services must be a list of texts/],
  [[{ url: 'https://x', datasets: { web: 'shop' } }], /source 1: datasets must be a list of texts, or an object of lists/],
  [[{ url: 'https://x', token: 'secret' }], /source 1: token is unknown; there are url, tokenFile/],
  [[{ url: 'https://x', queries: ' \n ' }], /source 1: queries: /],
])('%j is refused when the service starts', (entries, message) => {
  expect(() => sourcesOf(entries)).toThrow(message)
})

test('addresses alone are sources for all annotations', () => {
  const sources = readMetricSources('http://prometheus:9090/prom,loki+https://loki.example.com')
  expect(sources).toEqual([
    { kind: 'prometheus', url: new URL('http://prometheus:9090/prom') },
    { kind: 'loki', url: new URL('https://loki.example.com') },
  ])
  expect(() => readMetricSources('https://u:hidden@x')).toThrow(/^--metric-sources: source 1: url must .*have no password$/)
})
