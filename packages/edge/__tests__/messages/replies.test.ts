/** What people see of the reply of a receiver, which knows the secrets that it was sent and may be an enemy's. */
import { expect, test } from '@jest/globals'
import { showReply } from '../../src/messages/send-request.ts'

const SECRET = 'xapp-1/Ab+c=9Z&q?"w'
const codesOf = (write: (code: string) => string) =>
  [...SECRET].map((sign) => write(sign.charCodeAt(0).toString(16).padStart(2, '0'))).join('')

test.each([
  ['as it is', SECRET],
  ['in another case', SECRET.toUpperCase()],
  ['in an address', encodeURIComponent(SECRET)],
  ['in an address with small letters', encodeURIComponent(SECRET).replace(/%../g, (code) => code.toLowerCase())],
  ['in an address within another', encodeURIComponent(encodeURIComponent(SECRET))],
  ['as codes of an address', codesOf((code) => `%${code}`)],
  ['in JSON', JSON.stringify(SECRET)],
  ['in JSON as PHP writes it', JSON.stringify(SECRET).replaceAll('/', '\\/')],
  ['as codes of JSON', codesOf((code) => `\\u00${code}`)],
  ['as codes of JavaScript', codesOf((code) => `\\x${code}`)],
  ['in HTML', SECRET.replaceAll('&', '&amp;').replaceAll('"', '&quot;')],
  ['as codes of HTML', codesOf((code) => `&#${Number.parseInt(code, 16)};`)],
  ['as bytes', Buffer.from(SECRET).toString('hex')],
  ['with controls in between', [...SECRET].join('\u0000')],
  ...[0, 1, 2].map((before) => [
    `in base64 after ${before + 2} more`,
    Buffer.from(`u${'s'.repeat(before)}:${SECRET};`).toString('base64'),
  ]),
])('a secret that comes back %s is not shown', (_, written = '') => {
  expect(showReply(`no such ${written} here`, [SECRET])).toMatch(/^(?:no such \W*…|…)/)
  expect(showReply(`no such ${written} here`, ['another-secret'])).toContain('no such')
})

test('a reply is one line without controls, and no longer than is read', () => {
  expect(showReply('\r\n a\u001b[31mred\tb\u202e\u2028c \n', ['unrelated'])).toBe('a [31mred b c')
  expect(showReply('x'.repeat(100_000), ['unrelated'])).toHaveLength(200)
})
