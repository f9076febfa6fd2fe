/**
 * The command line of the service: its flags start it in the foreground, `token` and `integration` change its records,
 * `export` and `import` move its data.
 * `bin/annotation-service.cjs` is what is installed as the command; it loads this file where Node is new enough.
 */

import { allocatorOptions } from '@deployment-annotations/event-store/engine/engine-memory'
import { createIntegrationCommand } from './automations/integrations/commands.ts'
import { createServeCommand, type ServeOptions } from './flags.ts'
import { createTokenCommand } from './tokens/commands.ts'
import { createExportCommand, createImportCommand } from './transfer/commands.ts'

/**
 * The embedded engine holds a thread of Node's pool for every statement under way: up to sixteen queries, four inserts of events,
 * and one each of the statement that ends a query, of changes and of other inserts. The rest is for files. With the four threads
 * there are by default, four slow queries would stop everything. The pool is made when it is first used, later than this.
 */
process.env.UV_THREADPOOL_SIZE ??= '32'

// Of the embedded engine, which is loaded later.
process.env.JE_MALLOC_CONF ??= allocatorOptions()

// A log reader that goes away must not take the service down with it.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

// Loaded when it is asked for: the subcommands and `--help` need neither the server nor the engine.
const program = createServeCommand().action(async (options: ServeOptions) =>
  options.supervise ? (await import('./supervise.ts')).supervise() : (await import('./serve.ts')).serve(options),
)
program.addCommand(createTokenCommand(() => program.opts<ServeOptions>()))
program.addCommand(createIntegrationCommand(() => program.opts<ServeOptions>()))
program.addCommand(createExportCommand(() => program.opts<ServeOptions>()))
program.addCommand(createImportCommand(() => program.opts<ServeOptions>()))

program.parseAsync().catch((error: unknown) => {
  console.error(`error: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
})
