/** Signs in with a token, which is tried against the service before it is stored. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { Code } from '../parts/code.tsx'
import { Failure } from '../parts/failure.tsx'
import { useAttempt } from '../parts/use-attempt.ts'
import type { Keeping } from '../service/kept-token.ts'
import { offeredToken, signIn, signOutReason } from '../service/session.ts'
import { readUser } from '../service/user.ts'

export function SignIn() {
  const [secret, setSecret] = useState('')
  const { error, isBusy, attempt } = useAttempt()
  const [how, setHow] = useState<Keeping>('tabs')
  const enter = (given: string) => attempt(async () => signIn(given, await readUser(given), how))
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  useEffect(() => {
    const given = offeredToken.value
    offeredToken.value = undefined
    if (given !== undefined) void enter(given)
  }, [offeredToken.value])

  return (
    <main class="sign-in">
      <h1>
        <img src="/assets/icon.svg" alt="" width="36" height="36" /> Deployment annotations
      </h1>
      {signOutReason.value && <Failure error={signOutReason.value} />}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void enter(secret.trim())
        }}
      >
        <label for="token">Token</label>
        <input
          id="token"
          ref={field}
          type="password"
          autocomplete="off"
          spellcheck={false}
          required
          value={secret}
          onInput={(event) => setSecret(event.currentTarget.value)}
          aria-describedby="token-hint"
        />
        <KeepingChoice how={how} onChange={setHow} />
        <button type="submit" class="primary" disabled={isBusy || secret.trim() === ''}>
          {isBusy ? 'Signing in…' : 'Sign in'}
        </button>
      </form>
      <Failure error={error} />
      <div id="token-hint" class="hint">
        <p>The service created a token at its first start and wrote it to its log. To create another one, run:</p>
        <Code>annotation-service token create --personal</Code>
        <p>
          Your browser sends it to this service only.{' '}
          <a href="/help/tokens" target="_blank" rel="noopener">
            Help
          </a>
        </p>
      </div>
    </main>
  )
}

const KEEPINGS: readonly [Keeping, string][] = [
  ['tabs', 'Until I close the last tab of this dashboard'],
  ['tab', 'In this tab only'],
  ['browser', 'Until I sign out: everybody who uses this browser is signed in'],
]

function KeepingChoice({ how, onChange }: { how: Keeping; onChange: (how: Keeping) => void }) {
  return (
    <fieldset>
      <legend>Stay signed in</legend>
      {KEEPINGS.map(([one, text]) => (
        <label key={one} class="toggle">
          <input type="radio" name="keeping" checked={how === one} onChange={() => onChange(one)} /> {text}
        </label>
      ))}
    </fieldset>
  )
}
