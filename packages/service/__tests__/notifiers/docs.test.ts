/**
 * The notifier of docs/notifications.md that posts to Grafana, made as it is written there, against a receiver that takes what Grafana's
 * documentation says: https://grafana.com/docs/grafana/latest/developers/http_api/annotations/, read 2026-11.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { expect, test } from '@jest/globals'
import { startService } from '../../../../__tests__/support/service.ts'
import { created } from '../http.ts'
import { type Received, startReceiver } from './receiver.ts'

const [, command = ''] =
  /```sh\n((?:(?!```).)*\/api\/annotations.*?)```/s.exec(readFileSync('docs/notifications.md', 'utf8')) ?? []

function answer({ method, path, headers, body }: Received, response: ServerResponse): void {
  if (headers.authorization !== 'Bearer glsa_token') return void response.writeHead(401).end('{"message":"Unauthorized"}')
  const { time, timeEnd, tags, text } = JSON.parse(body)
  const isTaken =
    method === 'POST' &&
    path === '/api/annotations' &&
    [time, timeEnd].every(Number.isInteger) &&
    [...tags, text].every((one) => typeof one === 'string')
  response
    .writeHead(isTaken ? 200 : 400)
    .end(isTaken ? '{"message":"Annotation added","id":1}' : '{"message":"bad request data"}')
}

test('the notifier for Grafana posts what failed as an annotation with its span, its datasets as tags, and its texts', async () => {
  await using service = await startService({ args: ['--allow-private-notifications'] })
  await using grafana = await startReceiver(answer)
  const env = { ...process.env, URL: service.url, TOKEN: service.token }
  execFileSync('bash', ['-c', command.replace('https://grafana.example.com', grafana.url)], { env, stdio: 'pipe' })
  const endMs = Math.floor(Date.now() / 1_000) * 1_000
  const span = { time: new Date(endMs - 90_500).toISOString(), endTime: new Date(endMs).toISOString() }
  const text = 'Failed after 90 s: "no such host"'
  await created(service, { datasets: ['web', 'api'], type: 'deploy', title: 'web "2"', description: text, ...span })
  const [posted] = await grafana.wait(1)
  expect(JSON.parse(posted?.body ?? '')).toEqual({
    time: endMs - 90_500,
    timeEnd: endMs,
    tags: ['web', 'api'],
    text: `web "2" failed\n${text}`,
  })
})
