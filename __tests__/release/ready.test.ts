/** A copy of this repository that lacks nothing but what a build finds; it is built, which takes half a minute each time. */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { TAG } from '../../scripts/release/release.ts'
import { makeCopy } from './copy.ts'

test('with its tag a copy lacks nothing, and with a bundle that is not what its source makes it lacks that', () => {
  using copy = makeCopy()
  copy.run(`npm run --silent build; git commit --quiet --all --message Built; git tag ${TAG}`)
  expect(copy.run('npm run --silent release:check')).toMatchObject({
    status: 0,
    stdout: `Nothing is missing: git push origin ${TAG}\n`,
  })
  appendFileSync(join(copy.root, 'src/main.ts'), "\nconsole.log('more')\n")
  expect(copy.run('npm run --silent release:check')).toMatchObject({
    status: 1,
    lines: ['- dist is not what npm run build makes of the source: run it and commit the result'],
  })
}, 900_000)
