/**
 * Certificates and proxies, as the environment of the runner gives them.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { generate } from 'selfsigned'
import { startProxy } from '../support/proxy.ts'
import { runAction } from '../support/run-action.ts'
import { startScriptedService } from '../support/scripted-service.ts'

const inputs = { token: 'xaat-0123456789abcdef', datasets: 'web', type: 'deploy', timeoutSeconds: '4' }

const DAY_MS = 86_400_000
async function makeCertificate(notAfterDate = new Date(Date.now() + DAY_MS)) {
  const extensions = [
    { name: 'basicConstraints' as const, cA: true },
    { name: 'subjectAltName' as const, altNames: [{ type: 7 as const, ip: '127.0.0.1' }] },
  ]
  const notBeforeDate = new Date(Date.now() - 2 * DAY_MS)
  const { private: key, cert } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    keySize: 2048,
    extensions,
    notBeforeDate,
    notAfterDate,
  })
  return { key, cert }
}

function writeAuthority(cert: string) {
  const folder = mkdtempSync(join(tmpdir(), 'ca-'))
  const file = join(folder, 'ca.pem')
  writeFileSync(file, cert)
  return { file, [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true }) }
}

test.concurrent('a certificate that nobody vouches for fails the job, names the reason and says what to do', async () => {
  await using service = await startScriptedService({}, { tls: await makeCertificate() })
  const run = await runAction({ ...inputs, baseUrl: service.url })
  expect(run).toMatchObject({ exitCode: 1, warnings: [], outputs: {} })
  expect(run.errors).toEqual([
    expect.stringMatching(/the certificate is not trusted: .*self-signed.*1 attempt.*NODE_EXTRA_CA_CERTS/),
  ])
  expect(service.requests).toEqual([])
})

test.concurrent('NODE_EXTRA_CA_CERTS makes a private authority trusted', async () => {
  const tls = await makeCertificate()
  await using ca = writeAuthority(tls.cert)
  await using service = await startScriptedService({}, { tls })
  const run = await runAction({ ...inputs, baseUrl: service.url }, { env: { NODE_EXTRA_CA_CERTS: ca.file } })
  expect(run).toMatchObject({ exitCode: 0, outputs: { outcome: 'created' } })
})

test.concurrent('https: to a port that does not speak it is an outage that shows the reason', async () => {
  await using service = await startScriptedService()
  const run = await runAction({ ...inputs, timeoutSeconds: '2', baseUrl: service.url.replace('http:', 'https:') })
  expect(run).toMatchObject({ exitCode: 0, outputs: { outcome: 'unreachable' } })
  expect(run.warnings).toEqual([expect.stringMatching(/EPROTO|wrong version|packet length/i)])
})

test.concurrent.each(['https_proxy', 'HTTPS_PROXY'])('%s carries the request through a tunnel', async (name) => {
  const tls = await makeCertificate()
  await using ca = writeAuthority(tls.cert)
  await using service = await startScriptedService({}, { tls })
  await using proxy = await startProxy()
  const run = await runAction({ ...inputs, baseUrl: service.url }, { env: { [name]: proxy.url, NODE_EXTRA_CA_CERTS: ca.file } })
  expect(run).toMatchObject({ exitCode: 0, errors: [], warnings: [], outputs: { outcome: 'created' } })
  expect(proxy.tunnels).toEqual([`127.0.0.1:${service.port}`])
})

/** Marks on a service without TLS, with a proxy in the variables. @param answer what the proxy refuses with */
async function markThrough(
  answer: number | undefined,
  more: Record<string, string> = {},
  write = (host: string) => `http://${host}`,
) {
  await using service = await startScriptedService()
  await using proxy = await startProxy(answer)
  const { no_proxy = '', ...given } = more
  const env = { http_proxy: write(new URL(proxy.url).host), no_proxy }
  const baseUrl = given.baseUrl?.replace('PORT', String(service.port)) ?? service.url
  const run = await runAction({ ...inputs, ...given, baseUrl }, { env })
  return { run, requests: service.requests, tunnels: proxy.tunnels.map((tunnel) => tunnel.replace(String(service.port), 'PORT')) }
}

test.concurrent.each(['127.0.0.1', '10.0.0.0/8;127.0.0.0/8'])('no_proxy: %s goes past the proxy', async (no_proxy) => {
  const { run, tunnels } = await markThrough(undefined, { no_proxy })
  expect(run).toMatchObject({ exitCode: 0, outputs: { outcome: 'created' } })
  expect(tunnels).toEqual([])
})

const REFUSED = 'Check http_proxy or https_proxy with its user name and password'
test.concurrent.each([
  [403, 'fails the job at once, and the variables are named', `the proxy answered 403.*1 attempt .*${REFUSED}`],
  [407, 'fails the job at once, and the variables are named', `the proxy answered 407.*1 attempt .*${REFUSED}`],
  [502, 'is an outage in which nothing was sent', 'Proxy response \\(502\\)(?!.*may exist)'],
])('a proxy that answers %d %s', async (status, _, message) => {
  const { run, tunnels, requests } = await markThrough(status, { timeoutSeconds: '2' })
  const said = [expect.stringMatching(message)]
  if (status === 502) expect(run).toMatchObject({ exitCode: 0, warnings: said, outputs: { outcome: 'unreachable' } })
  else expect([run, tunnels.length]).toMatchObject([{ exitCode: 1, warnings: [], errors: said }, 1])
  expect(requests).toEqual([])
})

/** Nothing listens at their addresses, so that a try would be an outage. */
const MALFORMED = readFileSync(new URL('malformed-proxies.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')
test.concurrent.each(MALFORMED)('the proxy %s fails the job before a try, and its variable is named', async (http_proxy) => {
  const given = { ...inputs, baseUrl: 'http://127.0.0.1:1' }
  const run = await runAction(given, { env: { http_proxy } })
  expect(run).toMatchObject({ exitCode: 1, warnings: [] })
  const message = /the variable http_proxy is ".*", which is no proxy address such as http:.*%25.*\. Nothing was sent\.$/
  expect(run.errors).toEqual([expect.stringMatching(message)])
  expect(run.stdout).not.toMatch(/secret|attempt/)
  const warned = await runAction({ ...given, onError: 'warn' }, { env: { http_proxy } })
  expect(warned).toMatchObject({ exitCode: 0, errors: [], outputs: { outcome: 'failed' } })
})

test.concurrent.each([
  ['with a scheme', (host: string) => `http://${host}`],
  ['without a scheme', (host: string) => host],
  ['with a login and no scheme', (host: string) => `bob:pw@${host}`],
  ['with a line break at its end', (host: string) => ` http://${host}/\r\n`],
  ['with a login in URL form', (host: string) => `http://CORP%5Cbob:100%25@${host}`],
])('a proxy %s is used for a service without TLS', async (_, write) => {
  const { run, tunnels } = await markThrough(undefined, { allowHttp: 'true', baseUrl: 'http://service.invalid:PORT' }, write)
  expect(run).toMatchObject({ exitCode: 0, warnings: [], outputs: { outcome: 'created' } })
  expect(tunnels).toEqual(['service.invalid:PORT'])
})

/** No name server is asked for it: a part of a name has at most 63 characters. */
const UNKNOWN = `${'x'.repeat(64)}.example`
test.concurrent.each([
  ['baseUrl', `https://${UNKNOWN}`, {}, 'the host of "baseUrl"'],
  ['proxy', 'http://127.0.0.1:1', { http_proxy: `http://${UNKNOWN}:3128` }, 'the host in the variable http_proxy'],
])(
  'a mistyped host of the %s fails the job after a few tries, by onError',
  async (_, baseUrl, env, named) => {
    const given = { ...inputs, timeoutSeconds: '30', baseUrl }
    const [red, warned] = await Promise.all([runAction(given, { env }), runAction({ ...given, onError: 'warn' }, { env })])
    expect(red).toMatchObject({ exitCode: 1, warnings: [], outputs: { outcome: 'failed' } })
    expect(red.errors).toEqual([
      expect.stringMatching(`ENOTFOUND ${UNKNOWN}: no name server knows ${named}\\. 5 attempts in .*Correct it`),
    ])
    expect(red.durationMs).toBeLessThan(15_000)
    expect(warned).toMatchObject({ exitCode: 0, outputs: { outcome: 'failed' } })
  },
  60_000,
)

test.concurrent.each<[what: string, options: object, words: string]>([
  ['asks for a client certificate', { requestCert: true, rejectUnauthorized: true }, 'client certificate'],
  ['asks for one over TLS 1.2', { requestCert: true, rejectUnauthorized: true, maxVersion: 'TLSv1.2' }, 'client certificate'],
  ['is too old', { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }, 'no version of TLS from 1.2'],
  ['has an expired certificate of a trusted authority', { notAfter: new Date(Date.now() - DAY_MS) }, 'expired'],
])('a server that %s fails the job at once, in words', async (_, { notAfter, ...options }: { notAfter?: Date }, words) => {
  const tls = { ...(await makeCertificate(notAfter)), ...options }
  await using service = await startScriptedService({}, { tls })
  await using ca = writeAuthority(tls.cert)
  const run = await runAction({ ...inputs, baseUrl: service.url }, { env: { NODE_EXTRA_CA_CERTS: ca.file } })
  expect(run).toMatchObject({ exitCode: 1, warnings: [] })
  expect(run.errors).toEqual([expect.stringMatching(`${words}.*1 attempt in `)])
  if (!notAfter) expect(run.errors[0]).toContain('Set "baseUrl"')
})

test('a proxy that is not there is an outage that names its address', async () => {
  await using service = await startScriptedService()
  const run = await runAction(
    { ...inputs, timeoutSeconds: '2', baseUrl: service.url },
    { env: { http_proxy: 'http://127.0.0.1:1' } },
  )
  expect(run.warnings).toEqual([expect.stringMatching(/ECONNREFUSED 127\.0\.0\.1:1/)])
})
