import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { readBody } from '../../../event-store/__tests__/read-body.ts'

const directory = new URL('../../../../../shared/corpora/csv/', import.meta.url)
// The corpus is not part of the project.
const testWithCorpus = existsSync(directory) ? test : test.skip
const values = (data: readonly string[]) => data.map((text) => JSON.parse(text) as Record<string, string>)

testWithCorpus('every CSV of the corpus is read cell by cell', async () => {
  const names = readdirSync(new URL('json/', directory))
  expect(names.length).toBeGreaterThan(17)
  for (const name of names) {
    const expected = JSON.parse(readFileSync(new URL(`json/${name}`, directory), 'utf8')) as string[][] | Record<string, string>[]
    const body = readFileSync(new URL(`csv/${name.replace('.json', '.csv')}`, directory))
    const hasHeader = name.startsWith('header-')
    const columns = hasHeader ? undefined : (expected[0] as string[]).map((_, index) => `c${index}`)
    for (const chunkBytes of [1, 1 << 20]) {
      const { data, failures } = await readBody(body, { chunkBytes, csv: columns ? { fields: columns } : {} })
      const rows = hasHeader ? values(data) : values(data).map((row) => Object.values(row))
      expect([name, failures, rows]).toEqual([name, [], expected])
    }
  }
})

test('a ragged row is a failure that names its line, and costs its neighbors nothing', async () => {
  const { data, failures, failed } = await readBody('a,b\r\n1,"two\r\nlines"\r\n3\r\n4,5,6\r\n7,8\r\n', { csv: {} })
  expect(values(data)).toEqual([
    { a: '1', b: 'two\r\nlines' },
    { a: '7', b: '8' },
  ])
  expect(failed).toBe(2)
  expect(failures.map(({ error }) => error)).toEqual([
    'event 1, line 4: it has 1 cells, but there are 2 column names',
    'event 2, line 5: it has 3 cells, but there are 2 column names',
  ])
})

test.each([
  ['a,b\n1,"2\n', 'line 2: Quote Not Closed'],
  ['a,b\n1,2\n3,4"x"\n', 'line 3: Invalid Opening Quote'],
  ['\na,b\n1,2\n', 'line 1: it is blank and names no columns'],
  ['a,a\n1,2\n', 'line 1: the column name "a" occurs twice'],
  [Buffer.from([0x61, 0x0a, 0xff, 0x0a]), 'the CSV is not valid UTF-8'],
])('%j refuses the body', async (body, message) => {
  await expect(readBody(body, { csv: {} })).rejects.toMatchObject({
    code: 'malformed',
    message: expect.stringContaining(message),
  })
})

test('cells stay texts, the byte order mark is none of them, and `_time` may be a number', async () => {
  const body = `\ufeff_time;n\n1704067200;007\n2024-01-01T00:00:01Z;1.10\n;x\n`
  const { data, times, fields } = await readBody(body, { csv: { delimiter: ';' } })
  expect(values(data)).toEqual([{ n: '007' }, { n: '1.10' }, { n: 'x' }])
  expect(times).toEqual(['1704067200000000000', '1704067201000000000', '1767323045000000000'])
  expect(fields).toEqual({ n: 'string' })
})

test('a blank line is a row where there is one column, and counted where it is none', async () => {
  expect(values((await readBody('a\n\n1\n', { csv: {} })).data)).toEqual([{ a: '' }, { a: '1' }])
  expect(await readBody('a,b\n1,2\n\r\n', { csv: {} })).toMatchObject({ failures: [] })
  const { data, failures } = await readBody('a,b\n\n\n1,2\n\n3\n', { csv: {} })
  expect(values(data)).toEqual([{ a: '1', b: '2' }])
  expect(failures.map(({ error }) => error)).toEqual(['event 1, line 6: it has 1 cells, but there are 2 column names'])
})
