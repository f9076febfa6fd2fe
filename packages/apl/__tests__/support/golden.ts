/**
 * Goldens that are data alone: a file for each topic, with queries and what is expected of each, under the sentences that name the tests.
 * Deliberately not here: goldens of whole plans; see `../goldens.test.ts`.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'

/** By sentence and query. */
export type Golden<Expected> = Readonly<Record<string, Readonly<Record<string, Expected>>>>

export function readGolden<Content>(topic: string): Content {
  return JSON.parse(readFileSync(new URL(`../goldens/${topic}.json`, import.meta.url), 'utf8')) as Content
}

/** A test for each query, whose name is the sentence and the query. */
export function testGolden<Expected>(golden: Golden<Expected>, find: (query: string) => unknown): void {
  describe.each(Object.entries(golden))('%s', (_sentence, cases) => {
    test.each(Object.entries(cases))('%s', (query, expected) => {
      expect(find(query)).toEqual(expected)
    })
  })
}
