/** The list of a kind of resource: a sign, the name with one sentence, its columns, and a menu of actions. */
import { view } from '../address/navigation.ts'
import { ActionMenu, type MenuAction } from '../parts/action-menu.tsx'
import { TableHead } from '../parts/table-head.tsx'
import { ViewLink } from '../parts/view-link.tsx'
import type { Named, Resource } from './resource.ts'

interface ResourceListProps<One extends Named> {
  resource: Resource<One>
  rows: readonly One[]
  actionsOf: (one: One) => readonly MenuAction[]
}

export function ResourceList<One extends Named>({ resource, rows, actionsOf }: ResourceListProps<One>) {
  const { columns } = resource
  return (
    <table class="card">
      <TableHead
        names={['Name', ...columns.map(({ name }) => name)]}
        numbers={columns.flatMap(({ name, isNumber }) => (isNumber ? name : []))}
        acts="Actions"
      />
      <tbody>
        {rows.map((one) => (
          <tr key={one.id} class={one.id === view.value.open ? 'is-open' : undefined}>
            <th scope="row">
              <Head one={one} resource={resource} />
            </th>
            {columns.map(({ name, isNumber, cell }) => (
              <td key={name} data-label={name} class={isNumber ? 'number' : undefined}>
                {cell(one)}
              </td>
            ))}
            <td>
              <ActionMenu of={one.name} actions={actionsOf(one)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Head<One extends Named>({ one, resource }: { one: One; resource: Resource<One> }) {
  const { sign, link, change, sentence } = resource
  const mark = sign?.(one)
  const to = link?.(one) ?? (change === undefined ? undefined : { ...view.value, open: one.id })
  const name = <span class="clip">{one.name}</span>
  return (
    <div class="head">
      {mark && (
        <span class={`sign is-${mark.tone ?? 'quiet'}`} aria-hidden="true">
          {mark.sign}
        </span>
      )}
      <div>
        {to ? (
          <ViewLink to={to} stays={!link}>
            {name}
          </ViewLink>
        ) : (
          name
        )}
        <div class="sentence">{sentence(one)}</div>
      </div>
    </div>
  )
}
