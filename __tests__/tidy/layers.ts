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
  src: ['main.ts post.ts', 'action'],
  'packages/client/src': [
    'index.ts',
    'client.ts',
    'annotations.ts datasets.ts ingest.ts monitors.ts query.ts connection.ts',
    'calls.ts reply.ts',
    'request.ts retry.ts',
    'batches.ts budget.ts retry-after.ts transport.ts query-result.ts',
    'clock.ts errors.ts exact-json.ts line.ts redact.ts version.ts',
  ],
  'packages/apl/src': [
    'legacy.ts',
    'compile.ts names.ts',
    'emit.ts parser.ts',
    'operators',
    'expression.ts',
    'functions membership.ts',
    'arithmetic.ts bin.ts comparison.ts text-match.ts json-access.ts',
    'context.ts',
    'relation.ts',
    'select.ts expression-parser.ts resolve.ts lexer.ts',
    'plan.ts limits.ts value.ts token-reader.ts regex.ts',
    'ast.ts error.ts sql.ts token.ts',
    'literal.ts source.ts nearest.ts',
  ],
  'packages/dashboard/src': [
    'main.tsx',
    'app.tsx',
    'explore monitors tokens sign-in.tsx',
    'chart',
    'annotations events query',
    'parts',
    'view',
    'service',
    'session.ts',
  ],
  'packages/service/src': [
    'main.ts',
    'server.ts open-store.ts',
    'routes',
    'http',
    'automations',
    'query',
    'annotations events tokens',
    'store',
    'concurrency files log.ts',
    'errors.ts',
  ],
}

/** Imports that run against the layers today, `file imports file`. Nothing is added here. */
export const AGAINST_THE_LAYERS: readonly string[] = [
  'packages/service/src/automations/automations.ts imports packages/service/src/routes/integrations.ts, which does not stand below it in the layers of packages/service/src',
  'packages/service/src/automations/automations.ts imports packages/service/src/routes/monitors.ts, which does not stand below it in the layers of packages/service/src',
  'packages/service/src/automations/deployments/generic.ts imports packages/service/src/http/violations.ts, which does not stand below it in the layers of packages/service/src',
  'packages/service/src/annotations/filter.ts imports packages/service/src/http/violations.ts, which does not stand below it in the layers of packages/service/src',
  'packages/service/src/annotations/members.ts imports packages/service/src/http/violations.ts, which does not stand below it in the layers of packages/service/src',
]
