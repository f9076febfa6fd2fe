import { expect, test } from '@jest/globals'
import { readYaml } from '../../../../__tests__/support/read-yaml.ts'
import { Attributes } from '../../src/otlp/attributes.ts'
import { OtlpEvents } from '../../src/otlp/events.ts'

/** The events of one metric, as JSON has them. */
function eventsOf(metric: object): unknown[] {
  const request = { resourceMetrics: [{ scopeMetrics: [{ metrics: [metric] }] }] }
  const body = { bytes: Buffer.from(JSON.stringify(request)), encoding: 'json' } as const
  const parts = { ...body, attributes: new Attributes(new Set(['http.route'])), growth: () => {}, messages: () => {} }
  const lines = Buffer.concat([...new OtlpEvents('metrics', parts).lines()])
  return lines
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** Their times are numbers of JavaScript, which lose digits: that none is lost is tested over HTTP. */
const CASES = readYaml<[what: string, metric: object, events: object[]][]>(import.meta.url, 'metrics.yaml')
test.each(CASES)('%s', (_, metric, events) => expect(eventsOf(metric)).toEqual(events))

test('points are written a piece at a time, so that long texts of their metric do not become one piece', () => {
  const request = (points: number) => ({
    resourceMetrics: [
      {
        scopeMetrics: [
          { metrics: [{ name: 'x'.repeat(20_000), gauge: { dataPoints: Array.from({ length: points }, () => ({})) } }] },
        ],
      },
    ],
  })
  const made: number[] = []
  const parts = { encoding: 'json', attributes: new Attributes(new Set()), growth: (bytes: number) => made.push(bytes) } as const
  const bytes = Buffer.from(JSON.stringify(request(1_000)))
  const events = new OtlpEvents('metrics', { ...parts, bytes, messages: () => {} })
  for (const piece of events.lines()) expect(piece.length).toBeLessThan(200_000)
  expect(made.at(-1)).toBeGreaterThan(1_000 * 20_000 - 200_000)
})
