/**
 * What a program that installs the client depends on.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'

test('packages of others are imported by their names alone, never by files within them', () => {
  const source = join(import.meta.dirname, '../src')
  const specifiers = readdirSync(source).flatMap((file) =>
    [...readFileSync(join(source, file), 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^'.][^']*)'/g)].map(
      ([, name = '']) => name,
    ),
  )
  const others = specifiers.filter((name) => !/^(node:|@deployment-annotations\/)/.test(name))
  expect(others).toContain('undici')
  expect(others.filter((name) => !/^(@[\w-]+\/)?[\w.-]+$/.test(name))).toEqual([])
})
