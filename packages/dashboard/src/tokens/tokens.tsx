/** The page of tokens. A personal token may list, create, regenerate and revoke them. */
import './tokens.css'
import type { Permission } from '@deployment-annotations/contract/permission'
import { TOKEN_DESCRIPTION_POINTS_MAX } from '@deployment-annotations/contract/token'
import { view } from '../address/navigation.ts'
import { Moment } from '../parts/moment.tsx'
import { splitNames } from '../parts/split-names.ts'
import type { FieldOf, FormOf, FormState, Options } from '../resources/fields.ts'
import type { Resource } from '../resources/resource.ts'
import { ResourceSection } from '../resources/resource-page.tsx'
import { signOut, user } from '../service/session.ts'
import { type Token, tokenRequests } from '../service/tokens.ts'
import { DAYS, expiryFields, expiryOf, hasExpired } from './expiry.ts'
import { grantsOf, membersOf } from './grants.ts'
import { NotPersonal, Permissions } from './not-personal.tsx'
import { PermissionPicker } from './permission-picker.tsx'
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
const isShown = ({ texts }: FormState) => texts.kind === 'api'

const FIELDS: readonly FieldOf[] = [
  { name: 'name', label: 'Name', required: true, hint: 'Who or what uses it; the log and the list show this name.' },
  { name: 'description', label: 'Description', maxLength: TOKEN_DESCRIPTION_POINTS_MAX },
  { name: 'kind', label: 'Kind', kind: 'radio', options: KINDS, initial: 'api' },
  { name: 'permissions', label: 'May', kind: 'names', View: PermissionPicker, isShown },
  { name: 'reach', label: 'With', kind: 'radio', options: REACHES, initial: 'all', isShown },
  {
    name: 'datasets',
    label: 'Datasets',
    kind: 'datasets',
    required: true,
    missing: 'Choose at least one dataset, or all.',
    isShown: (form) => isShown(form) && form.texts.reach === 'some',
  },
  ...expiryFields('Expires', [['never', 'never'], ...DAYS]),
]

const FORM: FormOf = {
  fields: FIELDS,
  isIncomplete: ({ kind, permissions }) => kind === 'api' && permissions === '',
  finish: ({ name, description }, { kind, permissions = '', reach, datasets = '', ...texts }) => {
    const expiresAt = expiryOf({ after: texts.expires ?? '', typed: texts.expiresAt ?? '' }, Date.now(), view.value.zone)
    const may = membersOf(splitNames(permissions) as Permission[], reach === 'some' ? splitNames(datasets) : [])
    return {
      name,
      ...(description !== undefined && { description }),
      ...(expiresAt && { expiresAt }),
      ...(kind === 'personal' ? { kind } : may),
    }
  },
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
    { name: 'Expires', cell: (token) => <Expires token={token} /> },
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
  const who = user.value
  return who && who.role.id !== 'personal' ? <NotPersonal who={who} /> : <ResourceSection resource={TOKENS} />
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
      <Moment time={token.expiresAt} /> {hasExpired(token, Date.now()) && <span class="chip is-bad">expired</span>}
    </span>
  )
}
