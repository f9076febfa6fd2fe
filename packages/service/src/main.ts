/**
 * The command line of the service: its flags start it in the foreground, `token` and `integration` change its records,
 * `export` and `import` move its data, `fsck` checks it, `migrate` brings its records to this version, `reseal` changes the encryption
 * key. The installed command is `bin/annotation-service.cjs`, which loads this file if Node is new enough.
 */
import { allocatorOptions } from '@deployment-annotations/event-store/engine/engine-memory'
import { createServeCommand, type ServeOptions } from './commands/flags.ts'
import { createFsckCommand } from './commands/fsck.ts'
import { createMigrateCommand } from './commands/migrate.ts'
import { createResealCommand } from './commands/reseal.ts'
import { readSecretFiles, withoutSecrets } from './flags/secrets.ts'
import { createTokenCommand } from './tokens/commands.ts'
import { createExportCommand, createImportCommand } from './transfer/commands.ts'

/**
 * The embedded engine holds a thread of Node's pool for every statement under way: up to sixteen queries, four inserts of events, and
 * one each for the statement that ends a query, for changes and for other inserts. The other threads are for files. With the default of
 * four threads, four slow queries would stop everything. Node makes the pool when it is first used, which is later than this.
 */
process.env.UV_THREADPOOL_SIZE ??= '32'

// Options of the embedded engine's allocator, which reads them when the engine is loaded, later than this.
process.env.JE_MALLOC_CONF ??= allocatorOptions()

// `ps` shows the command line to everybody on the machine.
process.title = withoutSecrets(process.argv.slice(2))

// A log reader that goes away must not take the service down with it.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

readSecretFiles(process.env)

// The server and the engine are only loaded to start the service: the subcommands and `--help` need neither.
const program = createServeCommand().action(async (options: ServeOptions) =>
  options.supervise
    ? (await import('@deployment-annotations/runtime/process/supervise')).supervise()
    : (await import('./serve.ts')).serve(options),
)
const subcommands = [
  createTokenCommand,
  createExportCommand,
  createImportCommand,
  createFsckCommand,
  createMigrateCommand,
  createResealCommand,
]
for (const create of subcommands) program.addCommand(create(() => program.opts<ServeOptions>()))

program.parseAsync().catch((error: unknown) => {
  console.error(`error: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
})
