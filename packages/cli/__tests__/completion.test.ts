/** `annotate completion`: the scripts, in the shells that they are for. A shell that is not on this machine is skipped. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { annotate, makeFolder } from './run-annotate.ts'

/** Loads the script and prints what the shell would offer, a line each. */
const SHELLS = {
  bash: (words: string[]) =>
    `. "$1"; COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _annotate; printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: (words: string[]) =>
    `_describe() { [ "$1" = -o ] && shift; printf '%s\\n' "\${(@P)2%%:*}"; }; compdef() { :; }; . "$1"; words=(${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length}; _annotate`,
  fish: (words: string[]) => `source $argv[1]; complete -C '${words.join(' ')}' | string split -f 1 \\t`,
} as const

function offer(shell: keyof typeof SHELLS, script: string, words: string[]): string[] {
  using folder = makeFolder()
  const file = join(folder.path, 'script')
  writeFileSync(file, script)
  const args = shell === 'fish' ? ['-c', SHELLS.fish(words), file] : ['-c', SHELLS[shell](words), shell, file]
  const { stdout, stderr } = spawnSync(shell, args, {
    encoding: 'utf8',
    cwd: folder.path,
    env: { ...process.env, HOME: folder.path },
  })
  if (stderr !== '') throw new Error(stderr)
  return stdout.split('\n').filter(Boolean)
}

const isThere = (shell: string) => spawnSync(shell, ['-c', 'exit 0']).error === undefined
const shells = Object.keys(SHELLS) as (keyof typeof SHELLS)[]

test.each(shells.filter(isThere))('%s offers subcommands, and the flags of each', async (shell) => {
  const { stdout, exitCode } = await annotate('', ['completion', shell])
  expect(exitCode).toBe(0)
  const commands = offer(shell, stdout, ['annotate', ''])
  expect(commands).toEqual(expect.arrayContaining(['mark', 'open', 'close', 'run', 'compare', 'completion']))
  expect(commands).not.toContain('keep')
  expect(offer(shell, stdout, ['annotate', 'close', '--'])).toEqual(expect.arrayContaining(['--result', '--token-file']))
  expect(offer(shell, stdout, ['annotate', 'mark', '--da'])).toContain('--datasets')
})

test('another shell is wrong usage, and those that there are are named', async () => {
  const run = await annotate('', ['completion', 'tcsh'])
  expect(run).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/Allowed choices are bash, zsh, fish/) })
})
