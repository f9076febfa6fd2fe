/** What people see of the reply of a receiver, which knows the secrets that it was sent and may be an enemy's. */
import { expect, test } from '@jest/globals'
import { readYaml } from '../../../../__tests__/support/read-yaml.ts'
import { showReply } from '../../src/messages/send-request.ts'

const SPELLINGS = readYaml<[how: string, written: string][]>(import.meta.url, 'replies.yaml')

test.each(SPELLINGS)('a secret that comes back %s is not shown', (_, written) => {
  expect(showReply(`no such ${written} here`, ['xapp-1/Ab+c=9Z&q?"w'])).toMatch(/^(?:no such \W*…|…)/)
  expect(showReply(`no such ${written} here`, ['another-secret'])).toContain('no such')
})

test('a reply is one line without controls, and no longer than is read', () => {
  expect(showReply('\r\n a\u001b[31mred\tb\u202e\u2028c \n', ['unrelated'])).toBe('a [31mred b c')
  expect(showReply('x'.repeat(100_000), ['unrelated'])).toHaveLength(200)
})
