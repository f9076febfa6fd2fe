/** The nouns of the service, which docs/glossary.md lists: types are named with them, so that one thing has one word. */
import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { sources, treeOf } from './tree.ts'

const NOUNS_MAX = 60
/** Words of the glossary as types write them. */
const WRITTEN: Readonly<Record<string, string>> = { int: 'integer' }

const nouns = [...readFileSync('docs/glossary.md', 'utf8').matchAll(/^\| ([a-z]+) \|/gm)].map(([, noun = '']) => noun).slice(1)

const types = sources
  .filter((file) => file.startsWith('packages/service/src/'))
  .flatMap((file) =>
    treeOf(file).module.body.flatMap((item) => {
      if (item.type !== 'ExportDeclaration') return []
      const { declaration } = item
      if (declaration.type === 'TsInterfaceDeclaration' || declaration.type === 'TsTypeAliasDeclaration')
        return [declaration.id.value]
      return declaration.type === 'ClassDeclaration' ? [declaration.identifier.value] : []
    }),
  )

/** @returns the words of a name such as `SavedQueries`, in the singular: saved, query */
function wordsOf(name: string): string[] {
  const words = (name.match(/[A-Z]+(?![a-z])|[A-Z][a-z]+/g) ?? []).map((word) => word.toLowerCase())
  return words.map((word) => word.replace(/ies$/, 'y').replace(/(?<![su])s$/, '')).map((word) => WRITTEN[word] ?? word)
}

test('each exported type of the service is named with a noun of the glossary, which has no other', () => {
  expect(types.length).toBeGreaterThan(80)
  expect(types.filter((name) => !wordsOf(name).some((word) => nouns.includes(word)))).toEqual([])
  const used = new Set(types.flatMap(wordsOf))
  expect(nouns.filter((noun) => !used.has(noun))).toEqual([])
  expect(new Set(nouns).size).toBe(nouns.length)
  expect(nouns.length).toBeLessThanOrEqual(NOUNS_MAX)
})
