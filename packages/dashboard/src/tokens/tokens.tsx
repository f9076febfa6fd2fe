/** The page of tokens, which are listed, created, regenerated and revoked. An API token gives no more than it has. */
import './tokens.css'
import type { Permission } from '@deployment-annotations/contract/permission'
import { TOKEN_DESCRIPTION_POINTS_MAX } from '@deployment-annotations/contract/token'
import { Moment } from '../parts/moment.tsx'
import type { FormOf, FormState, Options } from '../resources/fields.ts'
import type { Resource } from '../resources/resource.ts'
import { ResourceSection } from '../resources/resource-page.tsx'
import { signOut, user } from '../service/session.ts'
import { type Token, tokenRequests } from '../service/tokens.ts'
import { afterDays, DAYS, hasExpired } from './expiry.ts'
import { grantsOf, membersOf } from './grants.ts'
import { PermissionPicker } from './permission-picker.tsx'
import { groupPermissions } from './permissions.ts'
import { Regenerate, shownOnce } from './regenerate.tsx'

/** The id of the token that was given at start, which the service does not store. */
const OPERATOR_ID = 'tok_operator'

const KINDS: Options = [
  ['api', 'API token: may do what is ticked below'],
  ['personal', 'Personal token: may do everything, including creating and revoking tokens'],
]
const REACHES: Options = [
  ['all', 'all datasets, those to come included'],
  ['some', 'only some: it reaches no others, nor what is about others'],
]
const isApi = ({ texts }: FormState) => texts.kind === 'api'

const FORM: FormOf = {
  fields: [
    { name: 'name', label: 'Name', required: true, hint: 'Who or what uses it; the log and the list show this name.' },
    { name: 'description', label: 'Description', maxLength: TOKEN_DESCRIPTION_POINTS_MAX },
    {
      name: 'kind',
      label: 'Kind',
      kind: 'radio',
      options: KINDS,
      initial: 'api',
      isShown: () => user.value?.role.id === 'personal',
    },
    { name: 'permissions', label: 'May', kind: 'names', View: PermissionPicker, isShown: isApi },
    { name: 'reach', label: 'With', kind: 'radio', options: REACHES, initial: 'all', isShown: isApi },
    {
      name: 'datasets',
      label: 'Datasets',
      kind: 'datasets',
      required: true,
      isShown: (form) => isApi(form) && form.texts.reach === 'some',
    },
    { name: 'expiresAt', label: 'Expires', kind: 'choice', options: [['', 'never'], ...DAYS], write: afterDays },
  ],
  isIncomplete: ({ kind, permissions }) => kind === 'api' && permissions === '',
  finish: ({ kind, reach, permissions, datasets = [], ...members }) => ({
    ...members,
    ...(kind === 'personal' ? { kind } : membersOf(permissions as Permission[], datasets as string[])),
  }),
}

const TOKENS: Resource<Token> = {
  title: 'Tokens',
  noun: 'token',
  about:
    'Everything that speaks to this service has a token: a step in a workflow, a log shipper, you. Give each its own, with no more permissions than it needs, so that one can be revoked without the others.',
  permission: 'apiTokens',
  requests: tokenRequests,
  sentence: ({ id, kind, description }) => (
    <>
      {kind === 'personal' ? 'Personal' : 'API'} <span class="mono">{id}</span>{' '}
      {id === user.value?.id && <span class="chip">you</span>}
      {description !== undefined && <p>{description}</p>}
      {id === OPERATOR_ID && <p>Given at start, not stored: it goes away when the service is started without it.</p>}
    </>
  ),
  columns: [
    { name: 'May', cell: (token) => (token.kind === 'personal' ? 'do everything' : <Grants token={token} />) },
    {
      name: 'Expires',
      cell: (token) => (
        <span>
          {token.expiresAt === undefined ? 'never' : <Moment time={token.expiresAt} />}{' '}
          {hasExpired(token) && <span class="chip is-bad">expired</span>}
        </span>
      ),
    },
    { name: 'Created', cell: ({ createdAt }) => <Moment time={createdAt} /> },
  ],
  none: 'None yet.',
  form: FORM,
  actions: [{ words: 'Regenerate', View: Regenerate }],
  isFixed: ({ id }) => id === OPERATOR_ID,
  deletion: {
    words: 'Revoke',
    about: ({ id }) => (
      <>
        <p class="mono">{id}</p>
        <p>It is refused from the next request on, and cannot be brought back. What it created stays.</p>
        {id === user.value?.id && <p class="failure">You are signed in with this token: you will be signed out.</p>}
      </>
    ),
    onDeleted: ({ id }) => {
      if (id === user.value?.id) signOut('You revoked the token that you were signed in with.')
    },
  },
  shownOnce,
}

export function Tokens() {
  return <ResourceSection resource={TOKENS} />
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
          <ul class="permissions">
            {groupPermissions(permissions).map(([resource, actions]) => (
              <li key={resource}>
                {resource}: {actions.join(', ')}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  )
}
