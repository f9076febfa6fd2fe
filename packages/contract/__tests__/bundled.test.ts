/**
 * What a bundle has of a resource whose calls alone it uses, as those of the step, the client and the page do.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { build } from 'esbuild'

const LIB = join(import.meta.dirname, '../lib')

async function bundle(contents: string): Promise<string> {
  const stdin = { contents, resolveDir: LIB }
  const { outputFiles } = await build({ stdin, bundle: true, minify: true, format: 'esm', target: 'es2023', write: false })
  return outputFiles[0]?.text ?? ''
}

test('the calls of a resource come without its words, schemas and operations', async () => {
  const files = readdirSync(LIB).filter((name) => name.endsWith('.js'))
  const found: string[] = []
  for (const file of files) {
    const module = (await import(join(LIB, file))) as Record<string, unknown>
    for (const name of Object.keys(module).filter((one) => one.endsWith('_CALLS'))) {
      found.push(name)
      const text = await bundle(`export { ${name} } from './${file}'`)
      expect([name, text.length < JSON.stringify(module[name]).length + 100 || text]).toEqual([name, true])
    }
  }
  expect(found).toContain('TOKEN_CALLS')
})

test('a bound comes without the resource that obeys it', async () => {
  const text = await bundle("export { VIRTUAL_FIELDS_MAX } from './virtual-field.js'")
  expect(text).toMatch(/^var \w+=256;export\{\w+ as VIRTUAL_FIELDS_MAX\};\n$/)
})
