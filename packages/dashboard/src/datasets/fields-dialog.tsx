/** Shows the fields of a dataset with their types, its virtual fields, and the fields whose keys are data. */
import type { Dataset } from '@deployment-annotations/contract/dataset'
import { Failure } from '../parts/failure.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { TableHead } from '../parts/table-head.tsx'
import { useLoad } from '../parts/use-load.ts'
import { compareNames, showName } from '../query/name.ts'
import type { ActionProps } from '../resources/resource.ts'
import { listFields, virtualFieldRequests } from '../service/datasets.ts'
import { may } from '../service/session.ts'

interface Row {
  name: string
  about: string
  note?: string | undefined
}

export function FieldsDialog({ one, onClose }: ActionProps<Dataset>) {
  const { data, error, isLoading } = useLoad((signal) => listRows(one, signal), [one.name])
  return (
    <FormDialog title={`Fields of ${one.name}`} onClose={onClose}>
      <Failure error={error} />
      {isLoading && <p class="hint">Loading…</p>}
      {data && (
        <table class="fields">
          <TableHead names={['Name', 'What it is']} />
          <tbody>
            {data.map(({ name, about, note }) => (
              <tr key={`${name} ${about}`}>
                <th scope="row" class="mono clip">
                  {name}
                </th>
                <td class="clip">
                  {about} {note && <span class="hint clip">{note}</span>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </FormDialog>
  )
}

/** Fields have the types that their values have had, virtual ones the expression that queries compute. */
async function listRows({ name, mapFields }: Dataset, signal: AbortSignal): Promise<Row[]> {
  const virtual = may('virtualFields|read', [name]) ? await virtualFieldRequests.list(name, signal) : []
  const stored = await listFields(name, signal)
  const rows = [
    ...stored.map((field) => ({ name: showName(field.name), about: field.type.replaceAll('|', ' or ') })),
    ...mapFields.map((map) => ({ name: showName(map), about: 'a map: its keys are data' })),
    ...virtual.map((field) => ({ name: field.name, about: `virtual: ${field.expression}`, note: field.description })),
  ]
  return rows.sort((one, other) => compareNames(one.name, other.name))
}
