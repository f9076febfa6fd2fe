/**
 * `npm run bench -- NAME [arguments]`: runs one benchmark, which is the file of that name in `bench/`. Without a name it lists them, each
 * with what it measures.
 */
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const benches = globSync('*.ts', { cwd: import.meta.dirname }).map((file) => file.replace('.ts', ''))
const names = benches.filter((bench) => bench !== 'run').sort()
const [name, ...args] = process.argv.slice(2)
const fileOf = (bench: string) => join(import.meta.dirname, `${bench}.ts`)

if (name !== undefined && names.includes(name)) {
  process.exitCode = spawnSync(process.execPath, [fileOf(name), ...args], { stdio: 'inherit' }).status ?? 1
} else {
  if (name !== undefined) console.error(`there is no benchmark ${JSON.stringify(name)}`)
  console.log('npm run bench -- NAME')
  for (const bench of names) {
    const [, text = ''] = /^\/\*\*\s*\*?\s*([\s\S]*?)(?:[.:]\s|\*\/)/.exec(readFileSync(fileOf(bench), 'utf8')) ?? []
    console.log(`  ${bench.padEnd(16)}${text.replaceAll(/\s*\n \* ?/g, ' ').slice(0, 110)}`)
  }
  process.exitCode = name === undefined ? 0 : 2
}
