import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'
import { readBody } from '../../../event-store/__tests__/read-body.ts'

const directory = fileURLToPath(new URL('../../../../../shared/corpora/json/test_parsing/', import.meta.url))
// The corpus is not part of the project.
const testWithCorpus = existsSync(directory) ? test : test.skip
const files = existsSync(directory) ? readdirSync(directory) : []
const read = (name: string) => readFileSync(join(directory, name))
/** The text as the value of an event, read in chunks of so many bytes. */
const asValue = (bytes: Buffer, chunkBytes: number) =>
  readBody(Buffer.concat([Buffer.from('{"v":'), bytes, Buffer.from('}')]), { chunkBytes })

/** What an event has of its value: no null, no empty object. What cannot be a column is text in `rest`, by path. */
function storedValue(data: string, rest: Record<string, string>): unknown {
  const event = JSON.parse(data) as { v?: unknown }
  for (const [path, text] of Object.entries(rest)) {
    const [, name] = path.split('.')
    const value = JSON.parse(text) as unknown
    event.v = name === undefined ? value : { ...(event.v as object), [name]: value }
  }
  return event.v
}

const isEmpty = (value: unknown) => value === null || JSON.stringify(value) === '{}'

testWithCorpus('every valid JSON text is stored as it was sent, however it is cut into chunks', async () => {
  const valid = files.filter((name) => name.startsWith('y_'))
  expect(valid).toHaveLength(95)
  for (const name of valid) {
    const bytes = read(name)
    for (const chunkBytes of [1, 7, 1 << 20]) {
      const { data, rest, failures } = await asValue(bytes, chunkBytes)
      expect([name, failures, data.length]).toEqual([name, [], 1])
      const value: unknown = JSON.parse(bytes.toString())
      expect([name, storedValue(data[0] as string, rest[0] as Record<string, string>)]).toEqual([
        name,
        isEmpty(value) ? undefined : value,
      ])
    }
  }
})

testWithCorpus('every invalid JSON text refuses the body, as an event and as a value', async () => {
  // The words that Python writes for numbers cost their event alone.
  const invalid = files.filter((name) => /^n_(?!number_(NaN|infinity|minus_infinity)\.)/.test(name))
  expect(invalid).toHaveLength(185)
  for (const name of invalid) {
    const bytes = read(name)
    for (const chunkBytes of bytes.length < 5_000 ? [1, 1 << 20] : [1 << 16]) {
      expect([name, await asValue(bytes, chunkBytes).catch((error: { code: string }) => error.code)]).toEqual([name, 'malformed'])
      expect([name, await readBody(bytes, { chunkBytes }).catch((error: { code: string }) => error.code)]).toEqual([
        name,
        'malformed',
      ])
    }
  }
})

testWithCorpus('what parsers may decide, we decide: no character that is none, no number that would change', async () => {
  const free = files.filter((name) => name.startsWith('i_'))
  expect(free).toHaveLength(35)
  const verdicts = new Map<string, string[]>()
  for (const name of free) {
    const outcome = await asValue(read(name), 1 << 20).catch((error: { code: string }) => error)
    const verdict =
      'code' in outcome
        ? outcome.code
        : (outcome.failures[0]?.error.replace(/\b(the (?:number|integer)) \S+/, '$1').slice(0, 48) ?? 'stored')
    verdicts.set(verdict, [...(verdicts.get(verdict) ?? []), name])
  }
  expect(Object.fromEntries([...verdicts].map(([verdict, names]) => [verdict, names.length]))).toEqual({
    'event 0: the number would be stored as 0 (64-bit': 2,
    'event 0: the number is larger than a 64-bit floa': 5,
    'event 0: the integer does not fit into 64 bits; ': 3,
    'event 0: a string holds half of a surrogate pair': 10,
    'event 0: the event is not valid UTF-8': 10,
    'event 0: the event is nested deeper than 100 lev': 1,
    malformed: 4,
  })
})
