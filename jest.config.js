/** With databases that others started these say nothing more: they choose their own, on both stores, or are about files and flags. */
const OF_THEIR_OWN = ['/(?:records|transfer|disk|cluster|several)/', '/(?:command-line|installed|integrations)\\.test\\.ts$']

/**
 * TypeScript runs as ES modules, transformed file by file; types are checked by `npm run typecheck`.
 * @type {import('jest').Config}
 */
export default {
  roots: ['<rootDir>/__tests__', '<rootDir>/packages'],
  modulePathIgnorePatterns: ['<rootDir>/packages/[^/]+/(?:lib|public|node_modules)/'],
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', ...(process.env.TEST_POSTGRES ? OF_THEIR_OWN : [])],
  testEnvironment: 'node',
  setupFiles: ['<rootDir>/__tests__/support/seed.js'],
  setupFilesAfterEnv: ['<rootDir>/__tests__/support/retry.js'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': ['@swc/jest', { jsc: { target: 'es2023', parser: { syntax: 'typescript' } }, module: { type: 'es6' } }],
  },
  // Most tests start real processes; a hang is reported, not waited for.
  testTimeout: 120_000,
  // One more than the processors of the smallest machine: a good part of the tests waits for services, browsers and clocks.
  maxWorkers: 3,
}
