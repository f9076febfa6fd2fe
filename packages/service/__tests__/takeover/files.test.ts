/** Files of earlier versions, as those versions wrote them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { readIntegrationFile } from '../../src/takeover/integration-file.ts'
import { readTokenFile } from '../../src/takeover/token-file.ts'

let dataDir: string
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'takeover-'))
})
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

function write(name: string, content: unknown): string {
  const path = join(dataDir, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

const TOKEN = {
  id: 'tok_0123456789ab',
  name: 'ci',
  kind: 'api',
  permissions: ['annotations|create'],
  sha256: 'ab'.repeat(32),
  createdAt: '2026-03-01T12:00:00.000Z',
}
const INTEGRATION = {
  id: 'int_0123456789ab',
  platform: 'vercel',
  name: 'shop',
  datasets: ['web'],
  type: 'deploy',
  title: '{version}',
  environments: ['production'],
  createdAt: '2026-03-01T12:00:00.000Z',
}

test('tokens are read as they were written', () => {
  expect(readTokenFile(write('tokens.json', { version: 1, tokens: [TOKEN] }))).toEqual([TOKEN])
})

test('integrations are read, their secrets under the name of today', () => {
  const path = write('integrations.json', { version: 1, integrations: [{ ...INTEGRATION, sealedSecret: 'v1.a.b.c' }] })
  expect(readIntegrationFile(path)).toEqual([{ ...INTEGRATION, encryptedSecret: 'v1.a.b.c' }])
})

test.each([
  ['tokens', readTokenFile],
  ['integrations', readIntegrationFile],
] as const)('%s: no file has none, and one that is damaged or newer is refused', (member, read) => {
  const name = `${member}.json`
  expect(read(join(dataDir, 'absent.json'))).toEqual([])
  expect(() => read(write(name, '{"version"'))).toThrow(`${name} cannot be read: `)
  expect(() => read(write(name, { version: 1, [member]: [{ id: 'x' }] }))).toThrow(`${name} is not a list of ${member}`)
  expect(() => read(write(name, { version: 7, [member]: [] }))).toThrow(
    `${name} has version 7, but this program only knows versions up to 1`,
  )
})
