/**
 * The table of tokens: what each may do and until when, and the buttons that regenerate and revoke it. On a narrow page every row is a
 * card.
 */
import { Act } from '../parts/act.tsx'
import { Moment } from '../parts/moment.tsx'
import { TableHead } from '../parts/table-head.tsx'
import type { Token } from '../service/tokens.ts'
import { hasExpired } from './expiry.ts'
import { grantsOf } from './grants.ts'
import { groupPermissions } from './permissions.ts'

/** The id of the token that was given at start, which the service does not store. */
const OPERATOR_ID = 'tok_operator'

interface TokenTableProps {
  tokens: readonly Token[]
  /** The id of the token that is signed in. */
  ownId: string
  onRegenerate: (token: Token) => void
  onRevoke: (token: Token) => void
}

export function TokenTable({ tokens, ownId, onRegenerate, onRevoke }: TokenTableProps) {
  return (
    <table class="card">
      <TableHead names={['Name', 'Kind', 'May', 'Expires', 'Created', 'Id']} acts="Regenerate or revoke" />
      <tbody>
        {tokens.map((token) => (
          <Row
            key={token.id}
            token={token}
            isOwn={token.id === ownId}
            onRegenerate={() => onRegenerate(token)}
            onRevoke={() => onRevoke(token)}
          />
        ))}
      </tbody>
    </table>
  )
}

interface RowProps {
  token: Token
  isOwn: boolean
  onRegenerate: () => void
  onRevoke: () => void
}

function Row({ token, isOwn, onRegenerate, onRevoke }: RowProps) {
  const { id, name, description, kind, createdAt } = token
  return (
    <tr>
      <th scope="row">
        <span class="clip">{name}</span>
        {description !== undefined && <span class="clip description">{description}</span>}
      </th>
      <td data-label="Kind">
        <span>
          {kind === 'personal' ? 'Personal' : 'API'} {isOwn && <span class="chip">you</span>}
        </span>
      </td>
      <td data-label="May">{kind === 'personal' ? 'do everything' : <Grants token={token} />}</td>
      <td data-label="Expires">
        <Expires token={token} />
      </td>
      <td data-label="Created">
        <Moment time={createdAt} />
      </td>
      <td data-label="Id" class="mono">
        {id}
      </td>
      <td>
        {id === OPERATOR_ID ? (
          <span class="hint">Given at start, not stored: it goes away when the service is started without it.</span>
        ) : (
          <span class="row">
            <Act words="Regenerate" on={name} onClick={onRegenerate} />
            <Act words="Revoke" on={name} isDangerous onClick={onRevoke} />
          </span>
        )}
      </td>
    </tr>
  )
}

function Grants({ token }: { token: Token }) {
  return (
    <div>
      {grantsOf(token).map(({ datasets, permissions }) => (
        <div key={datasets.join()}>
          {datasets.length > 0 && (
            <p class="reach">
              on <strong class="clip">{datasets.join(', ')}</strong>
            </p>
          )}
          <Permissions permissions={permissions} />
        </div>
      ))}
    </div>
  )
}

function Expires({ token }: { token: Token }) {
  if (token.expiresAt === undefined) return <span>never</span>
  return (
    <span>
      <Moment time={token.expiresAt} /> {hasExpired(token, Date.now()) && <span class="chip expired">expired</span>}
    </span>
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
