/**
 * The user and password of an address, of a proxy or of a service, however the address is written: both steps and the command never
 * show anything before its last `@`.
 */
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { annotate } from '../../packages/cli/__tests__/run-annotate.ts'
import { runs } from '../support/long.ts'
import { runAction, runCompare } from '../support/run-action.ts'

const PASSWORD = 'hunter2'
const TOKEN = 'xaat-0123456789abcdef'
const NOWHERE = 'http://127.0.0.1:1'

/** What a password has that ends one in a URL, or that a URL loses on the way. */
const signs = ['', '/', '//', ' ', '\t', '\n', '\r', '?', '#', '@', ':', '%', '%2F', '%40', '\\', '[', '"', '$&', 'ß', '\u2028']
const password = fc.tuple(fc.constantFrom(...signs), fc.constantFrom(...signs)).map((around) => around.join(PASSWORD))
const scheme = fc.constantFrom(
  'http://',
  'HTTP://',
  ' http://',
  'http:/',
  'http:',
  'http:///',
  'http:\\\\',
  'htp://',
  'socks5://',
  '//',
  '',
)
const user = fc.constantFrom('bob', 'CORP\\bob', 'bob@corp.example', '127.0.0.1:8/', '')
const host = fc.constantFrom('127.0.0.1:1', '127.0.0.1:1/', '127.0.0.1:1/proxy.pac', '127.0.0.1:1?a#b', '127.0.0.1:x', '[::1', '')
const separator = fc.constantFrom('@', '@', '@', '%40')
const addresses = fc.tuple(scheme, user, fc.constant(':'), password, separator, host).map((parts) => parts.join(''))

/** @returns all that both steps and the command have written where the address is that of the proxy, and then that of the service */
async function writtenOf(address: string): Promise<string> {
  const inputs = { token: TOKEN, timeoutSeconds: '1' }
  const mark = { ...inputs, datasets: 'web', type: 'deploy' }
  const comparison = { ...inputs, id: 'ann_1' }
  const metrics = { time: 'now', wait: '0s', source: address, service: 'shop', timeoutSeconds: '1' }
  const env = { http_proxy: address }
  const written = await Promise.all([
    runAction({ ...mark, baseUrl: NOWHERE }, { env }),
    runCompare({ ...comparison, baseUrl: NOWHERE }, { env }),
    annotate(NOWHERE, ['mark', '--timeout-seconds', '1'], { env }),
    runAction({ ...mark, baseUrl: address, allowHttp: 'true' }),
    runAction({ ...mark, baseUrl: address, dryRun: 'true' }),
    runCompare({ ...comparison, baseUrl: address }),
    runCompare(metrics),
    annotate(address, ['mark', '--allow-http', '--timeout-seconds', '1']),
  ])
  return written.map((run) => JSON.stringify(run)).join('\n')
}

test.each([
  `http://bob:${PASSWORD}/x@proxy.example:3128`,
  `http:/bob:${PASSWORD}@proxy.example:3128`,
  `http://bob:x ${PASSWORD}@proxy.example:port`,
  `http://127.0.0.1:8/${PASSWORD}@proxy.example:3128`,
])('nothing before the last @ of %j is shown', async (address) => {
  const written = await writtenOf(address)
  expect(written).not.toContain(PASSWORD)
  expect(written).toMatch(/the variable http_proxy is \\+"\*\*\*@proxy\.example:/)
})

test('nothing before the last @ is shown of any address', async () => {
  const property = fc.asyncProperty(addresses, async (address) => expect(await writtenOf(address)).not.toContain(PASSWORD))
  await fc.assert(property, { numRuns: runs(10, 100) })
}, 600_000)
