/**
 * `getschema`: the columns at this point and their types, one row each. Answered from the catalog; no event is read.
 * Deliberately not here: types of computed values beyond what is known without running them.
 */

import { Relation } from '../sql/relation.ts'
import { Select } from '../sql/select.ts'
import { typed, type Value } from '../sql/value.ts'
import type { OperatorDefinition } from './definition.ts'

export const getschema: OperatorDefinition<'getschema'> = {
  keywords: ['getschema'],
  syntax: '',
  parse: () => ({}),
  compile: (_operator, input, { binder, aliases }) => {
    const names = input.names()
    const select = new Select({ kind: 'one' }, aliases)
    const row = aliases.column()
    const types = names.map((name) => (input.find(name) as Value).type)
    select.arrayJoins.push(
      `arrayZip(${binder.texts(names)}, ${binder.texts(types)}, arrayEnumerate(${binder.texts(names)})) AS ${row}`,
    )
    const column = (at: number) => `tupleElement(${row}, ${at})`
    const position = typed('integer', `(toInt64(${column(3)}) - 1)`, { nullable: false })
    select.order = [{ name: 'ColumnOrdinal', value: position, descending: false }]
    return new Relation({
      select,
      columns: new Map([
        ['ColumnName', typed('string', column(1), { nullable: false })],
        ['ColumnOrdinal', position],
        ['ColumnType', typed('string', column(2), { nullable: false })],
      ]),
    })
  },
}
