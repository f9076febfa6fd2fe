/**
 * What answers take up on the disk while their readers take them is bounded, for one caller and for all: the files are real, the
 * engine's answer is made up.
 */
import { mkdtempDisposableSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { ANSWERS_HELD } from '../../../runtime/src/concurrency/bounds.ts'
import { ResultFiles } from '../../src/reading/result-files.ts'

const MIB = 1_048_576
const LARGE = `{"data":\n\t[\n\t\t["${'x'.repeat(MIB)}"]\n\t],\n"statistics":{"rows_read": 1}}`
const SMALL = LARGE.replace(/x+/, 'x')

async function withFiles(run: (fill: (caller: string, answer?: string) => Promise<AsyncDisposable>) => Promise<void>) {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'held-answers-'))
  const bound = { ...ANSWERS_HELD, bytesMax: 3 * MIB, bytesPerCallerMax: 2 * MIB }
  const files = new ResultFiles(join(folder.path, 'answers'), 4 * MIB, bound)
  await run((caller, answer = LARGE) => files.fill(caller, (path) => writeFile(path, answer)))
  files.close()
}

const refusal = (code: string, message: string) => ({
  code,
  headers: { 'retry-after': '10' },
  message: expect.stringContaining(message),
})

test('a caller that does not read what it asked for is refused, and others are not', () =>
  withFiles(async (fill) => {
    const [first, second] = [await fill('slow'), await fill('slow')]
    await expect(fill('slow')).rejects.toMatchObject(refusal('rate_limited', 'answers of 2 MiB wait to be read by it'))
    const other = await fill('other')
    await expect(fill('third')).rejects.toMatchObject(refusal('overloaded', 'answers of 3 MiB wait for their readers'))
    for (const answer of [first, second, other]) await answer[Symbol.asyncDispose]()
    for (const caller of ['slow', 'third']) await (await fill(caller))[Symbol.asyncDispose]()
  }))

test('small answers hold nothing, and one that is left twice is counted once', () =>
  withFiles(async (fill) => {
    for (let i = 0; i < 20; i++) await fill('many', SMALL)
    const [first] = [await fill('many'), await fill('many')]
    await first?.[Symbol.asyncDispose]()
    await first?.[Symbol.asyncDispose]()
    await fill('many')
    await expect(fill('many')).rejects.toMatchObject({ code: 'rate_limited' })
  }))

test('what failed holds nothing', () =>
  withFiles(async (fill) => {
    for (let i = 0; i < 5; i++) await expect(fill('wrong', 'x'.repeat(MIB))).rejects.toThrow('another form')
    await fill('wrong')
  }))
