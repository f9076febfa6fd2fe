/**
 * TypeScript runs as ES modules, transformed file by file; types are checked by `npm run typecheck`.
 * @type {import('jest').Config}
 */
export default {
  roots: ['<rootDir>/__tests__', '<rootDir>/packages'],
  modulePathIgnorePatterns: ['<rootDir>/packages/[^/]+/(?:lib|public|node_modules)/'],
  testMatch: ['**/*.test.ts'],
  // With databases that others started, the tests that choose theirs themselves, on both stores, say nothing more.
  testPathIgnorePatterns: ['/node_modules/', ...(process.env.TEST_POSTGRES ? ['/(?:records|transfer|disk|cluster|several)/'] : [])],
  testEnvironment: 'node',
  setupFiles: ['<rootDir>/__tests__/support/seed.js'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': ['@swc/jest', { jsc: { target: 'es2023', parser: { syntax: 'typescript' } }, module: { type: 'es6' } }],
  },
  // Most tests start real processes; a hang is reported, not waited for.
  testTimeout: 120_000,
  maxWorkers: 2,
}
