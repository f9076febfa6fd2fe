/** Says that errors of a dataset are not looked at, and offers the virtual field that would say them. */
import { type KnownField, quoteField } from '@deployment-annotations/compare/signs'
import { useState } from 'preact/hooks'
import { Field } from '../parts/field.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { virtualFieldRequests } from '../service/datasets.ts'
import { may } from '../service/session.ts'

export interface DefineFailedProps {
  dataset: string
  fields: readonly KnownField[]
  onDefined: () => void
}

export function DefineFailed({ dataset, fields, onDefined }: DefineFailedProps) {
  const [expression, setExpression] = useState<string>()
  const task = async () => {
    await virtualFieldRequests.create({ dataset, name: 'failed', expression: expression ?? '' })
    setExpression(undefined)
    onDefined()
  }
  return (
    <p class="hint">
      Errors are not looked at: no field says what failed.{' '}
      {may('virtualFields|create', [dataset]) && (
        <button type="button" class="quiet" onClick={() => setExpression(guessFailed(fields))}>
          Define <code>failed</code>
        </button>
      )}
      {expression !== undefined && (
        <FormDialog title={`What failed in ${dataset}?`} action="Define" task={task} onClose={() => setExpression(undefined)}>
          <Field id="failed" label="An event failed if" required value={expression} onText={setExpression} />
        </FormDialog>
      )}
    </p>
  )
}

/** @returns the expression of a virtual field that may say what failed, to be corrected; '' if no field is likely */
function guessFailed(fields: readonly KnownField[]): string {
  const likely = fields.find(({ name }) => /status|result|outcome|state|err|fail|code/i.test(name))
  if (!likely) return ''
  return `${quoteField(likely.name)} ${/string/.test(likely.type) ? "== 'failed'" : '>= 500'}`
}
