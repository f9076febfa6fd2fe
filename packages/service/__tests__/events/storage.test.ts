import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { decodeKey, encodeKey, enginePath, fieldKeys, fieldName } from '../../src/events/fields/field-name.ts'
import { checkOpenFiles } from '../../src/events/open-files.ts'
import { createRowIds } from '../../src/events/rows/row-ids.ts'

const mark = () => join(mkdtempSync(join(tmpdir(), 'row-ids-')), 'mark')

test('row ids grow strictly, also when the clock is set back and the process starts anew', () => {
  const file = mark()
  let now = 1_800_000_000_000
  let last = -1n
  for (let life = 0; life < 5; life++) {
    const ids = createRowIds(file, 3, () => now)
    for (let i = 0; i < 10_000; i++) {
      const id = ids.next()
      expect(id > last && ((id >> 12n) & 1_023n) === 3n).toBe(true)
      last = id
      if (i % 1_000 === 0) now -= 50_000
    }
    expect(Number(readFileSync(file, 'utf8')) >= Number(last >> 22n)).toBe(true)
  }
})

test('a mark that cannot be understood stops the start', () => {
  const file = mark()
  writeFileSync(file, 'x')
  expect(() => createRowIds(file, 0)).toThrow('should hold the highest row id time')
})

test('names of fields: any keys have one name, one path, and come back', () => {
  const keys = fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(keys, (list) => {
      expect(fieldKeys(fieldName(list))).toEqual(list)
      expect(enginePath(fieldName(list)).split('.').map(decodeKey)).toEqual(list)
      expect(encodeKey(list[0] as string)).not.toContain('.')
    }),
    { numRuns: 2_000 },
  )
  expect([fieldName(['geo', 'city']), fieldName(['geo.city']), enginePath('geo.city'), enginePath('geo\\.city')]).toEqual([
    'geo.city',
    'geo\\.city',
    'geo.city',
    'geo%2Ecity',
  ])
})

test('the limit of open files is told where it is too low, and only there', () => {
  const limits = (count: string) => () =>
    `Limit  Soft Limit  Hard Limit  Units\nMax open files            ${count}                20000                files\n`
  expect(checkOpenFiles(limits('1024'))).toContain('this process may open 1024 files')
  expect(checkOpenFiles(limits('65536'))).toBeUndefined()
  expect(checkOpenFiles(limits('unlimited'))).toBeUndefined()
  expect(
    checkOpenFiles(() => {
      throw new Error('no such file')
    }),
  ).toBeUndefined()
})
