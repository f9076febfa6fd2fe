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

test('a certificate that nobody vouches for fails the job, names the reason and says what to do', async () => {
  await using service = await startScriptedService({}, { tls: await makeCertificate() })
  const run = await runAction({ ...inputs, baseUrl: service.url })
  expect(run).toMatchObject({ exitCode: 1, warnings: [], outputs: {} })
  expect(run.errors).toEqual([
    expect.stringMatching(/the certificate is not trusted: .*self-signed.*1 attempt.*NODE_EXTRA_CA_CERTS/),
  ])
  expect(service.requests).toEqual([])
})

test('NODE_EXTRA_CA_CERTS makes a private authority trusted', async () => {
  const tls = await makeCertificate()
  const folder = mkdtempSync(join(tmpdir(), 'ca-'))
  writeFileSync(join(folder, 'ca.pem'), tls.cert)
  await using service = await startScriptedService({}, { tls })
  const run = await runAction({ ...inputs, baseUrl: service.url }, { env: { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') } })
  rmSync(folder, { recursive: true })
  expect(run).toMatchObject({ exitCode: 0, outputs: { outcome: 'created' } })
})

test('an expired certificate fails the job even where its authority is trusted', async () => {
  const tls = await makeCertificate(new Date(Date.now() - DAY_MS))
  const folder = mkdtempSync(join(tmpdir(), 'ca-'))
  writeFileSync(join(folder, 'ca.pem'), tls.cert)
  await using service = await startScriptedService({}, { tls })
  const run = await runAction({ ...inputs, baseUrl: service.url }, { env: { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') } })
  rmSync(folder, { recursive: true })
  expect(run.exitCode).toBe(1)
  expect(run.errors).toEqual([expect.stringMatching(/expired/)])
})

test('https: to a port that does not speak it is an outage that shows the reason', async () => {
  await using service = await startScriptedService()
  const run = await runAction({ ...inputs, timeoutSeconds: '2', baseUrl: service.url.replace('http:', 'https:') })
  expect(run).toMatchObject({ exitCode: 0, outputs: { outcome: 'unreachable' } })
  expect(run.warnings).toEqual([expect.stringMatching(/EPROTO|wrong version|packet length/i)])
})

test.each(['https_proxy', 'HTTPS_PROXY'])('%s carries the request through a tunnel', async (name) => {
  const tls = await makeCertificate()
  const folder = mkdtempSync(join(tmpdir(), 'ca-'))
  writeFileSync(join(folder, 'ca.pem'), tls.cert)
  await using service = await startScriptedService({}, { tls })
  await using proxy = await startProxy()
  const run = await runAction(
    { ...inputs, baseUrl: service.url },
    { env: { [name]: proxy.url, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') } },
  )
  rmSync(folder, { recursive: true })
  expect(run).toMatchObject({ exitCode: 0, errors: [], warnings: [], outputs: { outcome: 'created' } })
  expect(proxy.tunnels).toEqual([`127.0.0.1:${service.port}`])
})

test('http_proxy is used for a service without TLS', async () => {
  await using service = await startScriptedService()
  await using proxy = await startProxy()
  const run = await runAction(
    { ...inputs, allowHttp: 'true', baseUrl: `http://service.invalid:${service.port}` },
    { env: { http_proxy: proxy.url } },
  )
  expect(run).toMatchObject({ exitCode: 0, outputs: { outcome: 'created' } })
  expect(proxy.tunnels).toEqual([`service.invalid:${service.port}`])
})

test('no_proxy goes past the proxy', async () => {
  await using service = await startScriptedService()
  await using proxy = await startProxy()
  const run = await runAction({ ...inputs, baseUrl: service.url }, { env: { http_proxy: proxy.url, no_proxy: '127.0.0.1' } })
  expect(run).toMatchObject({ exitCode: 0, outputs: { outcome: 'created' } })
  expect(proxy.tunnels).toEqual([])
})

test.each([403, 407])('a proxy that answers %d is an outage in which nothing was sent', async (status) => {
  await using service = await startScriptedService()
  await using proxy = await startProxy(status)
  const run = await runAction({ ...inputs, timeoutSeconds: '6', baseUrl: service.url }, { env: { http_proxy: proxy.url } })
  expect(run).toMatchObject({ exitCode: 0, outputs: { outcome: 'unreachable' } })
  expect(run.warnings).toEqual([expect.stringMatching(new RegExp(`Proxy response \\(${status}\\)`))])
  expect(run.warnings.join()).not.toMatch(/may exist/)
  expect(service.requests).toEqual([])
})

test('a proxy that is not there is an outage that names its address', async () => {
  await using service = await startScriptedService()
  const run = await runAction(
    { ...inputs, timeoutSeconds: '2', baseUrl: service.url },
    { env: { http_proxy: 'http://127.0.0.1:1' } },
  )
  expect(run.warnings).toEqual([expect.stringMatching(/ECONNREFUSED 127\.0\.0\.1:1/)])
})
