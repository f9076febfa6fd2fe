/**
 * Who may import whom, as data: packages among each other, and inside each package its files and folders, the story first.
 * Deliberately not here: the check, which is `imports.test.ts`.
 */

/** Which packages a package may import besides itself; `action` is what lies at the top. */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  apl: ['contract'],
  client: ['contract'],
  action: ['contract', 'client'],
  service: ['contract', 'apl'],
  dashboard: ['contract', 'apl'],
}

/** For each root the layers from the top down: what stands in a line imports only what stands in lines below it. */
export const LAYERS: Readonly<Record<string, readonly string[]>> = {
  src: ['main.ts post.ts', 'close.ts', 'action'],
  'packages/contract/src': [
    'annotation.ts error-body.ts event.ts health.ts language.ts monitor.ts query.ts token.ts user.ts webhook.ts',
    'dataset.ts',
    'schemas',
    'rules',
    'relative-time.ts',
    'duration.ts dataset-name.ts epoch.ts exact-json.ts text.ts timestamp.ts',
  ],
  'packages/client/src': [
    'index.ts',
    'client.ts',
    'annotations.ts datasets.ts ingest.ts monitors.ts query.ts',
    'calls.ts identity.ts',
    'request.ts',
    'reply.ts retry.ts',
    'connection.ts',
    'undici-transport.ts node-transport.ts',
    'batches.ts retry-after.ts transport.ts query-result.ts',
    'clock.ts errors.ts line.ts redact.ts version.ts',
  ],
  'packages/apl/src': [
    'legacy.ts',
    'compile.ts names.ts',
    'emit.ts parser.ts',
    'operators',
    'expression.ts',
    'functions membership.ts',
    'arithmetic.ts bin.ts comparison.ts text-match.ts json-access.ts field.ts',
    'context.ts',
    'relation.ts',
    'select.ts expression-parser.ts resolve.ts unfinished.ts',
    'lexer.ts',
    'plan.ts limits.ts value.ts token-reader.ts regex.ts mistakes.ts',
    'ast.ts error.ts sql.ts token.ts',
    'literal.ts source.ts nearest.ts',
  ],
  'packages/dashboard/src': [
    'main.tsx',
    'app',
    'explore',
    'chart monitors tokens',
    'annotations events query',
    'parts',
    'service view',
  ],
  'packages/service/src': [
    'main.ts',
    'serve.ts',
    'flags.ts server.ts close-on-signal.ts takeover',
    'routes',
    'http transfer',
    'automations',
    'query',
    'annotations tokens',
    'open-store.ts records-flags.ts clickhouse-flags.ts',
    'events',
    'store',
    'records',
    'concurrency files log-output.ts',
    'log.ts',
    'errors.ts version.ts',
  ],
}
