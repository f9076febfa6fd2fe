/**
 * The subcommand `fsck`: checks everything that a stopped service's data directory, or the databases that services share, have, names what
 * is damaged or unknown, and says what to do. It changes nothing without `--repair` or `--rebuild-catalog`.
 * Deliberately not here: the checks of events, which are in the event store.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Finding, Rebuilt } from '@deployment-annotations/event-store/fsck'
import type { Records } from '@deployment-annotations/records/database/records'
import { recordsFile } from '@deployment-annotations/records/open-records'
import { checkFile } from '@deployment-annotations/records/sqlite/sqlite-database'
import { createLog } from '@deployment-annotations/runtime/log'
import { Command } from 'commander'
import { IntegrationRegistry } from '../automations/integrations/registry.ts'
import { type PlaceFlags, placeOfEvents, useRecords, withPlaceFlags } from '../flags/storage-flags.ts'

interface FsckOptions extends PlaceFlags {
  repair?: boolean
  rebuildCatalog?: boolean
}

/** @param defaults used where the subcommand has no flags of its own */
export function createFsckCommand(defaults: () => PlaceFlags): Command {
  return withPlaceFlags(new Command('fsck'))
    .description(
      'check records and events, list what is damaged or unknown, and say what to do; exit code 1 if it found anything',
    )
    .option(
      '--repair',
      'repair without loss: restore files from their copies, and move aside what prevents the engine from opening',
    )
    .option('--rebuild-catalog', 'restore the datasets and fields that the records lost, from the tables of events')
    .action((options: FsckOptions) => fsck({ ...defaults(), ...options }))
}

async function fsck(options: FsckOptions): Promise<void> {
  const { data, clickhouse, postgres } = options
  if (!existsSync(data) && !(clickhouse && postgres))
    throw new Error(`there is nothing to check: ${data} is missing; name it with --data`)
  const findings: Finding[] = []
  const add = (more: readonly Finding[]) => {
    for (const finding of more) print(finding)
    findings.push(...more)
  }
  if (!clickhouse) await requireStopped(data)
  if (!postgres && !(options.rebuildCatalog && !existsSync(recordsFile(data)))) add(checkRecords(recordsFile(data)))
  const { checkFiles } = await import('@deployment-annotations/event-store/fsck')
  if (!clickhouse) add(await checkFiles(data, options.repair === true))
  if (findings.some(({ isFatal }) => isFatal)) console.error('the tables of events were not checked, because of these faults')
  else await checkOpened(options, add)
  const left = findings.filter(({ remedy }) => remedy !== undefined).length
  console.log(left === 0 ? 'nothing is damaged or unknown' : `${left} found`)
  if (left > 0) process.exitCode = 1
}

/** SQLite checks the file by itself, also one that cannot be opened as the records. */
function checkRecords(file: string): Finding[] {
  const remedy = 'restore it from a backup (docs/backup.md), or move it away and run annotation-service fsck --rebuild-catalog'
  if (!existsSync(file)) return [{ what: file, problem: 'the file is missing', remedy }]
  try {
    return checkFile(file).map((problem) => ({ what: file, problem, remedy }))
  } catch (error) {
    return [{ what: file, problem: (error as Error).message, remedy, isFatal: true }]
  }
}

async function checkOpened(options: FsckOptions, add: (findings: readonly Finding[]) => void): Promise<void> {
  const { checkTables, rebuildCatalog } = await import('@deployment-annotations/event-store/fsck')
  await useRecords(options, async (records) => {
    const { openForCheck } = await import('@deployment-annotations/event-store/open-store')
    await using tables = await openForCheck(placeOfEvents(options))
    if (options.rebuildCatalog) printRebuilt(await rebuildCatalog(tables, records))
    add(await checkTables(tables, records))
    add(await checkIntegrations(options.data, records))
  })
}

async function requireStopped(data: string): Promise<void> {
  const { findHolder } = await import('@deployment-annotations/event-store/embedded/embedded-engine')
  const pid = findHolder(join(data, 'engine'))
  if (pid !== undefined) throw new Error(`the data directory ${data} is in use by process ${pid}; stop it first`)
}

/** The secrets of integrations need the key that encrypted them. */
async function checkIntegrations(dataDir: string, records: Records): Promise<Finding[]> {
  const messages: string[] = []
  const log = createLog((line) => messages.push((JSON.parse(line) as { message: string }).message))
  try {
    await new IntegrationRegistry(records, { dataDir, log }).load()
  } catch (error) {
    messages.push((error as Error).message)
  }
  const remedy = 'bring the key back from where you keep it, or give the integrations new secrets'
  return messages.map((problem) => ({ what: 'integrations', problem, remedy }))
}

function print({ what, problem, remedy }: Finding): void {
  console.log(remedy === undefined ? `repaired  ${what}: ${problem}` : `found  ${what}: ${problem}\n       ${remedy}`)
}

function printRebuilt({ datasets, fields }: Rebuilt): void {
  for (const { name, table } of datasets) console.log(`rebuilt  dataset ${JSON.stringify(name)} from ${table}`)
  if (fields > 0) console.log(`rebuilt  ${fields} fields of other datasets`)
}
