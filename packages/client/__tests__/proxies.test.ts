/**
 * Which proxy the variables name for an address, and which addresses they leave out.
 */
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { ProxyAgent } from 'undici'
import { readProxy } from '../src/proxy.ts'

const PROXY = 'http://proxy.example:3128'

const LEFT_OUT = {
  'https://api.corp': 'api.corp|API.Corp|api.corp.|corp|.corp|*.corp|api.corp:443|a.b c.d\tapi.corp|a.b,,; api.corp|*|a.b, *',
  'https://api.corp.': 'api.corp',
  'http://api.corp': 'api.corp:80',
  'https://10.1.2.3': '10.0.0.0/8|10.1.2.3/32|10.1.2.3|10.0.0.0/8:443',
  'https://[fd00::12]': 'fd00::/8|[fd00::12]|[fd00::12]:443|fd00:0:0::12',
}
const NOT_LEFT_OUT = {
  'https://api.corp': ' |i.corp|api.corp:8443|10.0.0.0/8|x.api.corp|*corp',
  'https://10.1.2.3': '11.0.0.0/8|10.0.0.0/33|10.0.0.0/|10.0.0.0/x|10.1.2.3.4/8|fd00::/8',
  'https://[fd00::12]': 'fe80::/10|10.0.0.0/8|fd00::/129',
}
const cases = [LEFT_OUT, NOT_LEFT_OUT].flatMap((lists) =>
  Object.entries(lists).flatMap(([url, list]) => list.split('|').map((no_proxy) => [url, no_proxy, lists === LEFT_OUT] as const)),
)

test.each(cases)('%s with no_proxy %j: left out %s', (url, no_proxy, isLeftOut) => {
  const read = readProxy(new URL(url), { http_proxy: PROXY, NO_PROXY: no_proxy })
  expect(read).toEqual(isLeftOut ? { variable: 'NO_PROXY' } : { variable: 'http_proxy', url: PROXY })
})

test('whatever is taken for the address of a proxy, undici takes, too', () => {
  const part = fc.oneof(
    fc.string({ maxLength: 6 }),
    fc.constantFrom('%', '%41', '\\', 'bob:', '@', '/', ';', '[::1]', ':3128', 'é'),
  )
  const address = fc
    .tuple(fc.constantFrom('', 'http://', 'https://', 'HTTP://', 'socks5://'), fc.array(part, { maxLength: 6 }))
    .map(([scheme, parts]) => `${scheme}${parts.join('')}proxy.example:3128`)
  const read = (https_proxy: string) => {
    try {
      return readProxy(new URL('https://api.example'), { https_proxy })?.url
    } catch (error) {
      expect(error).toMatchObject({ code: 'config', message: expect.stringContaining('the variable https_proxy is') })
      return undefined
    }
  }
  let taken = 0
  fc.assert(
    fc.property(address, (text) => {
      const url = read(text)
      if (url === undefined) return
      taken++
      void new ProxyAgent(url).destroy()
    }),
    { numRuns: 1_000 },
  )
  expect(taken).toBeGreaterThan(20)
})
