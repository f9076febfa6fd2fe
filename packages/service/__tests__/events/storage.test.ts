import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { decodeKey, encodeKey, enginePath, fieldKeys, fieldName } from '../../src/events/fields/field-name.ts'
import { checkOpenFiles } from '../../src/events/open-files.ts'

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
