/**
 * Every workflow that README.md and docs/ show is run as it stands there.
 */
import { basename } from 'node:path'
import { expect, test } from '@jest/globals'
import { readCases, testCases } from './cases.ts'
import { published } from './recipes.ts'

const cases = readCases('recipes.yaml')
testCases(cases, { failing: [0.01, 0.01] })

/** What runs by no case of its own, and why. */
const CALLED = ['docs/recipes/reusable-workflow.md: deploy'] // by release.yml of its page

test('there is a case for every workflow that is published', () => {
  const names = published.map(({ page, path }) => `${page}: ${basename(path, '.yml')}`)
  expect(names.length).toBeGreaterThanOrEqual(24)
  const run = cases.map(({ page, workflow }) => `${page}: ${workflow}`)
  expect(names.filter((name) => !run.includes(name))).toEqual(CALLED)
})
