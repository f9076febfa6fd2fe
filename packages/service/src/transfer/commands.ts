/**
 * The subcommands `export` and `import`, which move all data from one place to another, and make and restore backups.
 * Deliberately not here: how; see export.ts and import.ts.
 */
import { hideLogin } from '@deployment-annotations/contract/address'
import { Command } from 'commander'
import { type PlaceFlags, withPlaceFlags } from '../flags/storage-flags.ts'
import { VERSION } from '../version.ts'
import { ExportDirectory, type FinishedExport } from './directory.ts'
import { formatCount, Progress, sumRows } from './progress.ts'
import type { ExportSource } from './source.ts'

/** What a command that was interrupted ends with, as a shell says it: 128 + SIGINT. */
const INTERRUPTED = 130

interface ExportOptions extends PlaceFlags {
  to: string
  url?: URL
}

interface ImportOptions extends PlaceFlags {
  from: string
}

/** @param defaults used where the subcommand has no flags of its own */
export function createExportCommand(defaults: () => PlaceFlags): Command {
  return withPlaceFlags(new Command('export'))
    .description(
      'write all records and events to a directory, to move them or as a backup; if it was interrupted, run it again to continue',
    )
    .requiredOption('--to <directory>', 'where to write; it is created for its owner only')
    .option('--url <url>', 'export a running service, with the personal token in ANNOTATION_SERVICE_TOKEN', parseUrl)
    .action((options: ExportOptions) => exportTo({ ...defaults(), ...options }))
}

/** @param defaults used where the subcommand has no flags of its own */
export function createImportCommand(defaults: () => PlaceFlags): Command {
  return withPlaceFlags(new Command('import'))
    .description(
      'read an export into an empty place, to move the data or to restore a backup; if it was interrupted, run it again to continue',
    )
    .requiredOption('--from <directory>', 'where the export is')
    .action((options: ImportOptions) => importFrom({ ...defaults(), ...options }))
}

async function exportTo(options: ExportOptions): Promise<void> {
  const { runExport } = await import('./export.ts')
  await runInterruptibly(async (signal) => {
    await using source = await openSource(options)
    const finished = await runExport({ ...source, ...partsAt(options.to), signal })
    console.log(`exported ${describe(finished)} to ${options.to}`)
  })
}

async function openSource(options: ExportOptions): Promise<{ source: ExportSource } & AsyncDisposable> {
  if (options.url) {
    const { createRemoteSource } = await import('./remote-source.ts')
    return { source: createRemoteSource(options.url, readToken()), async [Symbol.asyncDispose]() {} }
  }
  const { openForExport } = await import('./places.ts')
  const { createLocalSource } = await import('./source.ts')
  const place = await openForExport(options)
  const source = createLocalSource({ ...place, program: VERSION })
  return { source, [Symbol.asyncDispose]: () => place[Symbol.asyncDispose]() }
}

async function importFrom(options: ImportOptions): Promise<void> {
  const { runImport } = await import('./import.ts')
  const { openForImport } = await import('./places.ts')
  await runInterruptibly(async (signal) => {
    await using place = await openForImport(options)
    const finished = await runImport({ ...place, ...partsAt(options.from), signal })
    console.log(`imported ${describe(finished)} from ${options.from}; counts and checksums are those of the export`)
  })
}

const partsAt = (path: string) => ({ directory: new ExportDirectory(path), progress: new Progress() })

/** The first Ctrl-C ends the task after the chunk that it is at; what was done counts. */
async function runInterruptibly(task: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const interrupted = new AbortController()
  const interrupt = () => interrupted.abort()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt)
  try {
    await task(interrupted.signal)
  } catch (error) {
    if (!interrupted.signal.aborted || error !== interrupted.signal.reason) throw error
    console.error('interrupted: run the same command again, and it goes on from here')
    process.exitCode = INTERRUPTED
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt)
  }
}

function describe({ records, events }: FinishedExport): string {
  const [eventRows, recordRows] = [events, Object.values(records)].map((parts) => formatCount(sumRows(parts)))
  return `${eventRows} events of ${events.length} datasets, and ${recordRows} rows of records,`
}

function readToken(): string {
  const token = process.env.ANNOTATION_SERVICE_TOKEN
  if (!token) throw new Error('--url needs a personal token of the service in the variable ANNOTATION_SERVICE_TOKEN')
  return token
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const shown = hideLogin(text)
  if ((url?.protocol === 'http:' || url?.protocol === 'https:') && shown === text) return url
  // An InvalidArgumentError would be shown with the whole value, passwords included.
  throw new Error(`--url must be an http or https URL without a user or password, and ${JSON.stringify(shown)} is not`)
}
