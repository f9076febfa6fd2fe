/**
 * Certificates and proxies, as the environment of the runner gives them.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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

test.concurrent('an expired certificate fails the job even where its authority is trusted', async () => {
  const tls = await makeCertificate(new Date(Date.now() - DAY_MS))
  await using ca = writeAuthority(tls.cert)
  await using service = await startScriptedService({}, { tls })
  const run = await runAction({ ...inputs, baseUrl: service.url }, { env: { NODE_EXTRA_CA_CERTS: ca.file } })
  expect(run.exitCode).toBe(1)
  expect(run.errors).toEqual([expect.stringMatching(/expired/)])
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

test.concurrent('http_proxy is used for a service without TLS', async () => {
  await using service = await startScriptedService()
  await using proxy = await startProxy()
  const run = await runAction(
    { ...inputs, allowHttp: 'true', baseUrl: `http://service.invalid:${service.port}` },
    { env: { http_proxy: proxy.url } },
  )
  expect(run).toMatchObject({ exitCode: 0, outputs: { outcome: 'created' } })
  expect(proxy.tunnels).toEqual([`service.invalid:${service.port}`])
})

test.concurrent('no_proxy goes past the proxy', async () => {
  await using service = await startScriptedService()
  await using proxy = await startProxy()
  const run = await runAction({ ...inputs, baseUrl: service.url }, { env: { http_proxy: proxy.url, no_proxy: '127.0.0.1' } })
  expect(run).toMatchObject({ exitCode: 0, outputs: { outcome: 'created' } })
  expect(proxy.tunnels).toEqual([])
})

test.concurrent.each([403, 407])('a proxy that answers %d fails the job at once, and the variables are named', async (status) => {
  await using service = await startScriptedService()
  await using proxy = await startProxy(status)
  const run = await runAction({ ...inputs, baseUrl: service.url }, { env: { http_proxy: proxy.url } })
  expect(run).toMatchObject({ exitCode: 1, warnings: [] })
  const message = `the proxy answered ${status}.*1 attempt .*Check http_proxy or https_proxy with its user name and password`
  expect(run.errors).toEqual([expect.stringMatching(message)])
  expect([proxy.tunnels.length, service.requests]).toEqual([1, []])
})

test.concurrent('a proxy that fails is an outage in which nothing was sent', async () => {
  await using service = await startScriptedService()
  await using proxy = await startProxy(502)
  const run = await runAction({ ...inputs, timeoutSeconds: '2', baseUrl: service.url }, { env: { http_proxy: proxy.url } })
  expect(run).toMatchObject({ exitCode: 0, outputs: { outcome: 'unreachable' } })
  expect(run.warnings).toEqual([expect.stringMatching(/Proxy response \(502\)(?!.*may exist)/)])
})

test.concurrent.each([
  ['127.0.0.1:3128', '127.0.0.1:3128'],
  ['socks5://me:secret@127.0.0.1:1080', '***@127.0.0.1:1080'],
])('a proxy variable that holds %s fails the job at once, without the password', async (http_proxy, shown) => {
  const run = await runAction({ ...inputs, baseUrl: 'http://127.0.0.1:1' }, { env: { http_proxy } })
  expect(run).toMatchObject({ exitCode: 1, warnings: [] })
  expect(run.errors).toEqual([expect.stringContaining(`the variable http_proxy is "${shown}", which is no proxy address`)])
  expect(run.stdout).not.toContain('secret')
})

test.concurrent.each([
  ['asks for a client certificate', { requestCert: true, rejectUnauthorized: true }, 'client certificate'],
  ['asks for one over TLS 1.2', { requestCert: true, rejectUnauthorized: true, maxVersion: 'TLSv1.2' }, 'client certificate'],
  ['is too old', { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }, 'no version of TLS from 1.2'],
] as const)('a server that %s fails the job at once, in words', async (_, options, words) => {
  const tls = { ...(await makeCertificate()), ...options }
  await using service = await startScriptedService({}, { tls })
  await using ca = writeAuthority(tls.cert)
  const run = await runAction({ ...inputs, baseUrl: service.url }, { env: { NODE_EXTRA_CA_CERTS: ca.file } })
  expect(run).toMatchObject({ exitCode: 1, warnings: [] })
  expect(run.errors).toEqual([expect.stringMatching(`${words}.*1 attempt in .*Set "baseUrl"`)])
})

test('a proxy that is not there is an outage that names its address', async () => {
  await using service = await startScriptedService()
  const run = await runAction(
    { ...inputs, timeoutSeconds: '2', baseUrl: service.url },
    { env: { http_proxy: 'http://127.0.0.1:1' } },
  )
  expect(run.warnings).toEqual([expect.stringMatching(/ECONNREFUSED 127\.0\.0\.1:1/)])
})
