/**
 * `node scripts/release/step-files.ts FOLDER [REPOSITORY]`: writes the step alone into a folder, as a repository of its own has it: what a
 * runner downloads (.gitattributes), without `compare`. The Marketplace takes one action a repository, and none that has workflows.
 * Links in its pages to what is not there lead to this repository, and its examples name the one that is given.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { linkBack, REPOSITORY } from './release.ts'

const [, , folder = '', repository = REPOSITORY] = process.argv
mkdirSync(folder, { recursive: true })
const archive = execFileSync('git', ['archive', '--worktree-attributes', 'HEAD', ':!compare'], { maxBuffer: 2 ** 26 })
execFileSync('tar', ['-x', '-C', folder], { input: archive })
for (const page of globSync(join(folder, '*.md'))) {
  const text = linkBack(readFileSync(page, 'utf8'), (path) => existsSync(join(folder, path)))
  writeFileSync(page, text.replaceAll(`${REPOSITORY}@`, `${repository}@`))
}
