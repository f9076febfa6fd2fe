/**
 * What a person sees of an export and an import: lines, the outcome, and how to go on after Ctrl-C.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from '@jest/globals'
import { folderForTests } from '../../../../__tests__/support/for-tests.ts'
import { startService } from '../../../../__tests__/support/service.ts'
import { chunkFiles, ingestMany, move, startCommand } from './moving.ts'

const parent = folderForTests('transfer')
const at = (name: string) => join(parent, name)
beforeAll(async () => {
  await using service = await startService({ dataDir: at('first') })
  await ingestMany(service, 'large', 200_000)
})

test('lines say how far it is, and the outcome is on stdout', async () => {
  const exported = await move(['export', '--data', at('first'), '--to', at('lines')])
  expect(exported.stderr).toMatch(
    /^exporting: 200,000 events\n(exporting: [\d,]+ of 200,000 events \(\d+ %\), [\d,]+\/s\n)*large: 200,000 events in \d chunks\nrecords: \d+ rows\n$/,
  )
  expect(exported.stdout).toMatch(/^exported 200,000 events of 1 datasets, and \d+ rows of records, to .*lines\n$/)
  const imported = await move(['import', '--from', at('lines'), '--data', at('second')])
  expect(imported.stderr).toMatch(/^importing: 200,000 events\n(importing: .*\n)*large: 200,000 events\nrecords: \d+ rows\n$/)
  expect(imported.stdout).toMatch(/^imported 200,000 events .*; counts and checksums are those of the export\n$/)
})

test('Ctrl-C ends an export with code 130, says how to go on, and it does', async () => {
  const args = ['export', '--data', at('first'), '--to', at('interrupted')]
  const { child, output, ended } = startCommand(args)
  while (!existsSync(at('interrupted/events')) || chunkFiles(at('interrupted')).length < 1) await sleep(5)
  child.kill('SIGINT')
  expect(await ended).toBe(130)
  expect(output.stderr).toMatch(/interrupted: run the same command again, and it goes on from here\n$/)
  expect((await move(args)).stderr).toMatch(/^going on behind [\d,]+ events that are exported already\n/)
})
