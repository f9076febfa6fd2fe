/** The tokens there are: what each may do, and the way to revoke it. On a narrow page, every row is a card. */
import type { Token } from '../service/tokens.ts'
import { formatTime } from '../view/format-time.ts'
import { view } from '../view/navigation.ts'
import { groupPermissions } from './permissions.ts'

/** Of the token that was given at start, which the service does not store. */
const OPERATOR_ID = 'tok_operator'

interface TokenTableProps {
  tokens: readonly Token[]
  /** Of the token that is signed in. */
  ownId: string
  onRevoke: (token: Token) => void
}

export function TokenTable({ tokens, ownId, onRevoke }: TokenTableProps) {
  return (
    <table class="card">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Kind</th>
          <th scope="col">May</th>
          <th scope="col">Created</th>
          <th scope="col">Id</th>
          <th scope="col">
            <span class="visually-hidden">Revoke</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {tokens.map((token) => (
          <Row key={token.id} token={token} isOwn={token.id === ownId} onRevoke={() => onRevoke(token)} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ token, isOwn, onRevoke }: { token: Token; isOwn: boolean; onRevoke: () => void }) {
  const { id, name, kind, permissions, createdAt } = token
  return (
    <tr>
      <th scope="row">
        <span class="clip">{name}</span>
      </th>
      <td data-label="Kind">
        <span>
          {kind === 'personal' ? 'Personal' : 'API'} {isOwn && <span class="chip">you</span>}
        </span>
      </td>
      <td data-label="May">{kind === 'personal' ? 'do everything' : <Permissions permissions={permissions} />}</td>
      <td data-label="Created">
        <time dateTime={createdAt} title={createdAt}>
          {formatTime(createdAt, view.value.utc).replace(/\.\d+/, '')}
        </time>
      </td>
      <td data-label="Id" class="mono">
        {id}
      </td>
      <td>
        {id === OPERATOR_ID ? (
          <span class="hint">Given at start, not stored: it goes away when the service is started without it.</span>
        ) : (
          <button type="button" class="danger" aria-label={`Revoke ${name}`} onClick={onRevoke}>
            Revoke
          </button>
        )}
      </td>
    </tr>
  )
}

export function Permissions({ permissions }: { permissions: readonly string[] }) {
  return (
    <ul class="permissions">
      {groupPermissions(permissions).map(([resource, actions]) => (
        <li key={resource}>
          {resource}: {actions.join(', ')}
        </li>
      ))}
    </ul>
  )
}
