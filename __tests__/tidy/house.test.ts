/** The budgets of code lines, as `npm run house` holds them. Deliberately not here: the budgets of this checkout, which CI holds. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from '@jest/globals'
import { BUDGETS } from '../../scripts/house/budgets.ts'
import { folderForTests } from '../support/for-tests.ts'
import { NODE_24 } from '../support/service.ts'

const folder = folderForTests('house')

/** @returns how `npm run house` judges a checkout of these files */
function judge(name: string, files: Readonly<Record<string, string>>) {
  const root = join(folder, name)
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(root, dirname(file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  for (const args of [
    ['init', '--quiet'],
    ['add', '.'],
  ])
    execFileSync('git', args, { cwd: root })
  const { status, stdout, stderr } = spawnSync(NODE_24, ['scripts/house/table.ts', root], { encoding: 'utf8' })
  return { status, rows: stdout.split('\n'), stderr }
}

const budget = BUDGETS.cli as number
const FULL = { 'packages/cli/src/full.ts': 'run()\n'.repeat(budget) }

test('blank lines, comments, imports, and what is built or not tracked are no code; what is generated is', () => {
  const { status, rows, stderr } = judge('counted', {
    ...FULL,
    'packages/cli/src/other.ts': "/**\n * Two words.\n */\n\nimport {\n  a,\n} from './a.ts'\n// one\n",
    'packages/cli/dist/bundle.js': 'run()\n',
    'packages/cli/__tests__/goldens/case.ts': 'run()\n',
    'packages/cli/__tests__/cli.test.ts': "test('a', () => {})\n",
    'scripts/generated.js': 'export const TABLE = [\n  1, // not a comment alone\n]\n',
    'docs/example.ts': 'run()\n',
    '.gitignore': 'ignored.ts\n',
    'packages/cli/src/ignored.ts': 'run()\n',
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(rows).toEqual(expect.arrayContaining([`| cli | ${budget} | ${budget} | 3 |`, `| tests | 1 | ${BUDGETS.tests} | 0 |`]))
  expect(rows).toContain(`| .ci, scripts | 3 | ${BUDGETS['.ci, scripts']} | 0 |`)
})

test('one line beyond a budget is an error that names the package', () => {
  const { status, rows, stderr } = judge('missed', { ...FULL, 'packages/cli/src/more.js': 'run()\n' })
  expect(rows).toContain(`| cli | ${budget + 1} | ${budget} | 0 |`)
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: `cli has ${budget + 1} lines of code and may have ${budget}: remove 1\n`,
  })
})

test('a package without a budget is an error', () => {
  const { status, rows, stderr } = judge('new', { 'packages/fresh/src/index.ts': 'run()\n' })
  expect(rows).toContain('| fresh | 1 | none | 0 |')
  expect({ status, stderr }).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('fresh has 1 lines of code and no budget'),
  })
})
