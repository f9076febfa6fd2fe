/** The page of tokens for an API token, which may not see them: it could create a token with more permissions for itself. */
import { Code } from '../parts/code.tsx'
import { signOut, type User } from '../service/session.ts'
import { groupPermissions } from './permissions.ts'

export function NotPersonal({ who }: { who: User }) {
  return (
    <div class="tokens">
      <h1>Tokens</h1>
      <section class="card not-personal">
        <h2>This page needs a personal token</h2>
        <p>
          You are signed in with the API token <span class="mono">{who.id}</span>, <strong class="clip">{who.name}</strong>.
        </p>
        <p>An API token cannot see, create or revoke tokens, so that it cannot give itself more permissions than it has:</p>
        <Permissions permissions={who.permissions} />
        <p>
          Sign in with a personal token to manage tokens here. On the machine of the service, in its folder, you can manage them
          without one:
        </p>
        <Code>{`npm run service -- token list
npm run service -- token create --personal`}</Code>
        <button type="button" onClick={() => signOut()}>
          Sign in with another token
        </button>
      </section>
    </div>
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
