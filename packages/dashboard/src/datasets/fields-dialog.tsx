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

export function FieldsDialog({ one: { name, mapFields }, onClose }: ActionProps<Dataset>) {
  const fields = useLoad((signal) => listFields(name, signal), [name])
  const isPermitted = may('virtualFields|read', [name])
  const virtual = useLoad(isPermitted ? (signal) => virtualFieldRequests.list(name, signal) : undefined, [name])
  return (
    <FormDialog title={`Fields of ${name}`} onClose={onClose}>
      <Failure error={fields.error ?? virtual.error} />
      {!fields.data && fields.isLoading && <p class="hint">Loading…</p>}
      {fields.data && (
        <Names
          caption={`${fields.data.length} fields, with the types that their values have had`}
          rows={fields.data
            .toSorted((one, other) => compareNames(one.name, other.name))
            .map((field) => ({
              name: showName(field.name),
              about: field.type.replaceAll('|', ' or ') + (mapFields.includes(field.name) ? ', a map: its keys are data' : ''),
            }))}
        />
      )}
      {virtual.data && virtual.data.length > 0 && (
        <Names
          caption="Virtual fields, which queries compute"
          rows={virtual.data.map((field) => ({ name: field.name, about: field.expression, note: field.description }))}
        />
      )}
      {mapFields.length > 0 && (
        <p>
          Map fields: <span class="mono clip">{mapFields.map(showName).join(', ')}</span>
        </p>
      )}
    </FormDialog>
  )
}

interface NamesProps {
  caption: string
  rows: readonly { name: string; about: string; note?: string | undefined }[]
}

function Names({ caption, rows }: NamesProps) {
  return (
    <table class="fields">
      <caption>{caption}</caption>
      <TableHead names={['Name', 'What it is']} />
      <tbody>
        {rows.map(({ name, about, note }) => (
          <tr key={name}>
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
  )
}
