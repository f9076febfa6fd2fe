/**
 * What shippers send that cannot be installed here (`shippers.yaml`): each from what it asks first to its events.
 */
import { readFileSync } from 'node:fs'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, test } from '@jest/globals'
import { parse } from 'yaml'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { apl } from '../query/ask.ts'

interface Shipper {
  credentials: 'ApiKey' | 'Basic' | 'Bearer'
  asks: string[]
  sends: string
  headers: Record<string, string>
  body: string
}
const SHIPPERS = parse(readFileSync(new URL('shippers.yaml', import.meta.url), 'utf8')) as Record<string, Shipper>

const service = serviceForTests()

function authorizationOf({ credentials }: Shipper): string {
  return `${credentials} ${credentials === 'Bearer' ? service.token : Buffer.from(`any:${service.token}`).toString('base64')}`
}

function bodyOf({ headers, body }: Shipper): string | Uint8Array<ArrayBuffer> {
  const compress = { gzip: gzipSync, zstd: zstdCompressSync }[headers['content-encoding'] ?? '']
  return compress ? new Uint8Array(compress(body)) : body
}

test.each(Object.entries(SHIPPERS))(
  '%s is answered what it asks first, and its event arrives with its time',
  async (name, shipper) => {
    for (const request of [...shipper.asks, shipper.sends]) {
      const [method = '', path = ''] = request.replace('{dataset}', name).split(' ')
      const headers = { 'user-agent': name, authorization: authorizationOf(shipper) }
      const sent =
        request === shipper.sends ? { body: bodyOf(shipper), headers: { ...headers, ...shipper.headers } } : { headers }
      const response = await fetch(service.url + path, { method, ...sent })
      const text = await response.text()
      expect([method, path, response.status, text.includes('"errors":true')]).toEqual([method, path, 200, false])
    }
    const { matches } = (await apl(service, `['${name}']`, {}, 'legacy')).body
    expect(matches).toMatchObject([{ _time: '2026-11-20T10:00:00.123Z', data: { message: 'hello' } }])
  },
)
