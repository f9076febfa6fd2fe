/** A copy of this checkout that acme owns, with a changelog that is ready for a release. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { REPOSITORY, VERSION } from '../../scripts/release/release.ts'
import { NODE_24 } from '../support/service.ts'

const SECTION = 'Read [data.md](docs/data.md#damage).\n\n### The step\n\n- Does more.'
const CHANGELOG = `## Unreleased\n\n## ${VERSION} - 2026-11-30\n\n${SECTION}\n\n## 0.9.0\n\n- Did less.\n`

export function makeCopy() {
  const root = mkdtempSync(join(tmpdir(), 'release-'))
  const run = (command: string, env: NodeJS.ProcessEnv = {}) => {
    const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', command], {
      cwd: root,
      encoding: 'utf8',
      env: { PATH: `${join(NODE_24, '..')}:${process.env.PATH}`, HOME: root, ...env },
    })
    return { status, stdout, stderr, lines: stdout.split('\n').filter((line) => line.startsWith('- ')) }
  }
  const files = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard']).stdout
  spawnSync('xargs', ['-0', 'cp', '--parents', '--target-directory', root], { input: files })
  symlinkSync(join(process.cwd(), 'node_modules'), join(root, 'node_modules'))
  writeFileSync(join(root, 'CHANGELOG.md'), CHANGELOG)
  run(`grep -rlZ --exclude-dir=node_modules ${REPOSITORY} . | xargs -0 sed -i 's#${REPOSITORY}#acme/deployment-annotations#'
    git config --global user.name Tests && git config --global user.email tests@localhost
    git init --quiet -b main && git add --all && git commit --quiet --message 'Release it'`)
  return { root, run, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) }
}
