/**
 * The example of docs/monitors.md, run as it is written: the answers have the members that it shows.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import type { Monitor } from '@deployment-annotations/contract/monitor'
import { expect, test } from '@jest/globals'
import { startService } from '../../../../__tests__/support/service.ts'
import { ask } from '../http.ts'
import { until } from './driven-service.ts'

const text = readFileSync('docs/monitors.md', 'utf8')
const blocks = (language: string) =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(([, block = '']) => block)

test('the example of docs/monitors.md answers as it says', async () => {
  await using service = await startService()
  const env = { ...process.env, URL: service.url, TOKEN: service.token }
  for (const command of blocks('sh').slice(1)) execFileSync('bash', ['-c', command], { env })
  const monitors = await until(async () => {
    const { body } = await ask<Monitor[]>(service, 'GET', '/v2/monitors')
    return body[0]?.state.status === 'triggered' ? body : undefined
  })
  const annotations = await until(async () => {
    const { body } = await ask<Annotation[]>(service, 'GET', '/v2/annotations')
    return body.length > 0 ? body : undefined
  })
  const [shownMonitors, shownAnnotations] = blocks('json').map((block, index) => (index < 2 ? JSON.parse(block) : undefined))
  expect(withoutTimes(monitors)).toEqual(withoutTimes(shownMonitors))
  expect(withoutTimes(annotations)).toEqual(withoutTimes(shownAnnotations))
})

/** Ids and times differ from run to run. */
function withoutTimes(value: unknown): unknown {
  const hidden = JSON.stringify(value).replace(/"(?:(\w{3})_\w+|\d{4}-\d\d-\d\dT[^"]+Z)"/g, '"$1…"')
  return JSON.parse(hidden)
}
