/**
 * `npm run build -- act` and `npm run build -- helm`: builds a program in Go that some tests run. It asks Go for the module, once, and
 * keeps what was built outside of the repository. Without Go, or without the module, it says so, and those tests are skipped. Each takes
 * three to four minutes of one processor (Go 1.26, November 2026).
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { folderOf, GO_TOOLS, type GoTool } from '../__tests__/support/go-tools.ts'

/** A build that hangs, on a proxy of modules for instance, must not take the tests with it. */
const BUILD_MS_MAX = 900_000

const tool = process.argv[2] as GoTool
const folder = folderOf(tool)
const program = join(folder, tool)
if (existsSync(program)) {
  console.log(`${tool} is there: ${program}`)
} else if (spawnSync('go', ['version']).error) {
  console.log(`skipped: ${tool} cannot be built without Go`)
} else {
  mkdirSync(folder, { recursive: true })
  const { module, version } = GO_TOOLS[tool]
  const { status } = spawnSync('go', ['install', '-p', '2', '-trimpath', '-ldflags', '-s -w', `${module}@${version}`], {
    stdio: 'inherit',
    timeout: BUILD_MS_MAX,
    // A module may ask for a newer Go than the one that is here.
    env: { ...process.env, GOBIN: folder, GOTOOLCHAIN: 'auto' },
  })
  console.log(status === 0 ? `${tool} is built: ${program}` : `skipped: Go could not get or build ${tool}; the reason is above`)
}
