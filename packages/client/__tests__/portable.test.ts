/**
 * The client where Node is not: a bundle for browsers, its size, and what it does with nothing but what the web has; and by `require`.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { expect, test } from '@jest/globals'
import { build } from 'esbuild'
import { openPage, testInBrowser } from '../../../__tests__/support/browser.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import type { Client } from '../src/index.ts'

const source = join(import.meta.dirname, '../src')
const service = serviceForTests()

/** @returns the script of a module for browsers; esbuild refuses whatever only Node has */
async function bundle(contents: string): Promise<string> {
  const stdin = { contents, resolveDir: source }
  const built = await build({ stdin, bundle: true, minify: true, platform: 'browser', format: 'iife', write: false })
  return built.outputFiles[0]?.text ?? ''
}

const everything = () => bundle("import { createClient } from './index.ts'; globalThis.createClient = createClient")

/** What every runtime of the web has, and the client uses. */
const WEB = {
  AbortController,
  AbortSignal,
  Blob,
  CompressionStream,
  Response,
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams,
  WritableStream,
  btoa,
  clearTimeout,
  fetch,
  performance,
  setTimeout,
}

/** Runs in a page, too, and so uses nothing from outside. */
async function useClient(createClient: (options: object) => Client, options: object, dataset: string): Promise<unknown[]> {
  const client = createClient(options)
  const { id } = await client.annotations.create({ datasets: [dataset], type: 'deploy', title: 'v1' })
  const { ingested } = await client.ingest(
    dataset,
    Array.from({ length: 200 }, (_, n) => ({ n })),
  )
  await client.ingestCsv(dataset, ['n,text\n200,"a\nb"\n'])
  const { tables } = await client.query(`['${dataset}'] | summarize count()`, { startTime: 'now-1h', endTime: 'now' })
  const failure = await client.annotations.get('ann_00000000000000000000000000').catch((error) => error.code)
  const { title } = await client.annotations.get(id)
  await client.close()
  return [title, ingested, tables[0]?.columns, failure]
}

const USED = ['v1', 200, [[201]], 'not-found']

test('the whole client has at most 40,000 bytes for browsers, and a part alone fewer', async () => {
  const whole = (await everything()).length
  expect(whole).toBeGreaterThan(20_000)
  expect(whole).toBeLessThanOrEqual(40_000)
  const parts = {
    createAnnotationsClient: './annotations.ts',
    createIngestClient: './ingest.ts',
    createQueryClient: './query.ts',
    createResources: './client.ts',
  }
  for (const [create, file] of Object.entries(parts)) {
    const alone = await bundle(`
      import { openConnection } from './connection.ts'
      import { createFetchTransport } from './fetch.ts'
      import { ${create} } from '${file}'
      globalThis.open = (options) => ${create}(openConnection(options, createFetchTransport))`)
    expect([file, alone.length < whole * 0.75]).toEqual([file, true])
  }
})

test('it needs nothing of Node', async () => {
  const context = createContext({ ...WEB })
  runInContext(await everything(), context)
  const { createClient } = context as unknown as { createClient: (options: object) => Client }
  expect(await useClient(createClient, { token: service.token, baseUrl: service.url }, 'anywhere')).toEqual(USED)
})

testInBrowser('it runs in a browser', async () => {
  await using page = await openPage(service, '/', { expectedErrors: /404/ })
  await page.evaluate(await everything())
  const options = JSON.stringify({ token: service.token, baseUrl: service.url })
  expect(await page.evaluate(`(${useClient})(createClient, ${options}, 'browser')`)).toEqual(USED)
})

test('a program of CommonJS requires it', () => {
  const program = `const { createClient, ConfigError } = require('@deployment-annotations/client')
    try { createClient({ token: '' }) } catch (error) { console.log(error instanceof ConfigError, error.message) }`
  expect(execFileSync(process.execPath, ['-e', program], { cwd: source, encoding: 'utf8' })).toBe('true the token is empty\n')
})
