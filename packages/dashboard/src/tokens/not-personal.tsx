/** What somebody sees here who is signed in with an API token, which could otherwise make itself a wider one. */
import { signOut, type User } from '../session.ts'
import { Permissions } from './token-table.tsx'

export function NotPersonal({ who }: { who: User }) {
  return (
    <div class="tokens">
      <h1>Tokens</h1>
      <section class="card not-personal">
        <h2>This page needs a personal token</h2>
        <p>
          You are signed in with the API token <span class="mono">{who.id}</span>, <strong class="clip">{who.name}</strong>.
        </p>
        <p>An API token can neither see nor make nor revoke tokens, so that it cannot give itself more than it was given:</p>
        <Permissions permissions={who.permissions} />
        <p>
          Sign in with a personal token to manage tokens here. On the machine of the service, and in its folder, they are managed
          without one:
        </p>
        <pre>{`npm run service -- token list
npm run service -- token create --personal`}</pre>
        <button type="button" onClick={() => signOut()}>
          Sign in with another token
        </button>
      </section>
    </div>
  )
}
