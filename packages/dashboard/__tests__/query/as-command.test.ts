/** Queries that are copied as commands: run by a shell, they ask the service what the page would ask. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { writeCurl } from '../../src/query/as-command.ts'

const HOSTILE = `it's "x" $(touch /nowhere/x) \`id\` \\ \${{ secrets.OTHER }} ! é\u2028\u202e\u0085`
const QUERY = { apl: `print text = ${JSON.stringify(HOSTILE)}\n// '; exit 3`, startTime: 'now-1h', endTime: 'now' }

const service = serviceForTests()

async function run(command: string): Promise<unknown> {
  const env = { ...process.env, TOKEN: service.token }
  const { stdout } = await promisify(execFile)('bash', ['-c', command], { env, timeout: 30_000 })
  return (JSON.parse(stdout) as { tables: { columns: unknown[][] }[] }).tables[0]?.columns[0]?.[0]
}

test('a query as curl asks the same, whatever its text', async () => {
  const command = writeCurl(QUERY, service.url)
  expect(command).toContain('Bearer $TOKEN')
  expect(await run(command)).toBe(HOSTILE)
})
