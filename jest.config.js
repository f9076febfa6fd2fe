import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** With databases that others started these say nothing more: they choose their own, on both stores, or are about files and flags. */
const OF_THEIR_OWN = ['/(?:records|transfer|disk|cluster|several)/', '/(?:command-line|installed|integrations)\\.test\\.ts$']

/** The page in a browser, of which `npm test` has a short form. */
const PAGE = '/packages/dashboard/__tests__/'
const PAGE_SHORT = ['chart', 'explore']
/**
 * What several services do together, whole copies of their data, damage in each kind of file, kills by the dozen, large datasets, bodies
 * that grow, stores of others, a release that is built, verdicts of a thousand comparisons that changed nothing, their public benchmark,
 * releases that a service judges by itself, recipes and workflows in worlds that are not tidy, clients that are slow or hostile, and on a
 * service what packages/apl tries in process.
 */
const LONG = [
  '/__tests__/bench/peers',
  '/__tests__/compare/prometheus',
  '/__tests__/compare/real-service',
  '/__tests__/compare/sources',
  '/__tests__/quickstart/example-data',
  '/__tests__/release/',
  '/__tests__/workflows/one-sentence',
  '/__tests__/workflows/recipes',
  '/__tests__/workflows/worlds',
  '/packages/apl/__tests__/layouts',
  '/packages/apl/__tests__/stray',
  '/packages/apl/__tests__/totals',
  '/packages/cli/__tests__/recipes',
  '/packages/compare/__tests__/public-benchmark',
  '/packages/compare/__tests__/simulations',
  '/packages/edge/__tests__/otlp/encodings',
  '/packages/event-store/__tests__/reading/spilling',
  '/packages/event-store/__tests__/write-ahead-log',
  '/packages/records/__tests__/leases',
  '/packages/records/__tests__/postgres',
  ...[
    'cluster/',
    'deployments/durability',
    'deployments/integrations',
    'disk/',
    'events/layouts/',
    'events/durability',
    'events/many-datasets',
    'events/size-limits',
    'monitors/crashes',
    'hostile',
    'monitors/kill',
    'monitors/runs',
    'monitors/several-services',
    'monitors/slow-queries',
    'monitors/takeover',
    'notifiers/outbox',
    'otlp/compressed',
    'otlp/grpc-idle',
    'pipelining',
    'query/clickhouse-server',
    'query/large-answers',
    'query/limits',
    'query/naive',
    'query/random',
    'query/record-sources-bound',
    'query/silent-readers',
    'query/rollups',
    'query/spans',
    'query/stray',
    'registries',
    'releases/fields',
    'releases/formats',
    'releases/judge',
    'releases/metric-sources',
    'releases/past',
    'releases/version-detector',
    'several/',
    'slow-clients',
    'supervise',
    'transfer/',
    'unsent-answers',
  ].map((of) => `/packages/service/__tests__/${of}`),
]

/** Together they take longer than eight minutes on two processors: `npm run test:with -- rest` runs these, `npm test` all others. */
function isRest(file) {
  if (LONG.some((of) => file.includes(of))) return true
  if (!file.includes(PAGE) || PAGE_SHORT.some((name) => file.endsWith(`${PAGE}${name}.test.ts`))) return false
  return readFileSync(join(import.meta.dirname, file), 'utf8').includes('testInBrowser')
}

const WITH_REST = ['apl', 'cli', 'compare', 'dashboard', 'edge', 'event-store', 'records', 'service']
const inRest = ['__tests__', ...WITH_REST.map((name) => `packages/${name}/__tests__`)]
  .flatMap((folder) => readdirSync(join(import.meta.dirname, folder), { recursive: true }).map((file) => `/${folder}/${file}`))
  .filter((file) => file.endsWith('.test.ts') && isRest(file))
  .map((file) => `${file.replaceAll('.', '\\.')}$`)
/** Some files, or tests by their names, are asked for: they are run wherever they are. */
const isChosen = process.argv.slice(2).some((word) => !/^(?:-|\d+$)/.test(word))

/**
 * TypeScript runs as ES modules, transformed file by file; types are checked by `npm run check -- types`.
 * @type {import('jest').Config}
 */
export default {
  roots: ['<rootDir>/__tests__', '<rootDir>/packages'],
  modulePathIgnorePatterns: ['<rootDir>/packages/[^/]+/(?:lib|public|node_modules)/'],
  testRegex: process.env.TEST_REST ? inRest : ['\\.test\\.ts$'],
  testPathIgnorePatterns: [
    '/node_modules/',
    ...(process.env.TEST_POSTGRES ? OF_THEIR_OWN : []),
    ...(process.env.TEST_REST || isChosen ? [] : inRest),
  ],
  testEnvironment: 'node',
  reporters: ['default', '<rootDir>/__tests__/support/second-tries.js'],
  setupFiles: ['<rootDir>/__tests__/support/seed.js'],
  setupFilesAfterEnv: ['<rootDir>/__tests__/support/retry.js'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': ['@swc/jest', { jsc: { target: 'es2023', parser: { syntax: 'typescript' } }, module: { type: 'es6' } }],
  },
  // Most tests start real processes; a hang is reported, not waited for. What is long may be slow.
  testTimeout: process.env.TEST_LONG ? 1_200_000 : 120_000,
  // One more than the processors of the smallest machine: a good part of the tests waits for services, browsers and clocks.
  maxWorkers: 3,
}
