/**
 * `npm run build -- act`, the first half of `npm run test:with -- act`: builds nektos/act, a runner of workflows for some tests. It asks Go for the
 * module, once, and keeps what was built outside of the repository. Without Go, or without the module, it says so, and those
 * tests are skipped. It takes three minutes of one processor (Go 1.26, November 2026).
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { ACT, ACT_FOLDER, ACT_VERSION } from '../__tests__/support/act.ts'

/** A build that hangs, on a proxy of modules for instance, must not take the tests with it. */
const BUILD_MS_MAX = 900_000

if (existsSync(ACT)) {
  console.log(`act is there: ${ACT}`)
} else if (spawnSync('go', ['version']).error) {
  console.log('skipped: act cannot be built without Go')
} else {
  mkdirSync(ACT_FOLDER, { recursive: true })
  const args = ['install', '-p', '2', '-trimpath', '-ldflags', '-s -w', `github.com/nektos/act@${ACT_VERSION}`]
  const { status } = spawnSync('go', args, {
    stdio: 'inherit',
    timeout: BUILD_MS_MAX,
    env: { ...process.env, GOBIN: ACT_FOLDER },
  })
  console.log(status === 0 ? `act is built: ${ACT}` : 'skipped: Go could not get or build act; the reason is above')
}
