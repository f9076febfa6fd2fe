/** Signs in with a token, which is tried against the service before it is stored. */
import { useEffect, useState } from 'preact/hooks'
import { Failure } from '../parts/failure.tsx'
import { Field } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Toggle } from '../parts/toggle.tsx'
import { useAttempt } from '../parts/use-attempt.ts'
import { linkToken, offeredToken, signIn, signOutReason } from '../service/session.ts'
import { readUser } from '../service/user.ts'

/** How long the token of a link waits for that of another tab: whoever is signed in there is asked. */
const OTHER_TABS_MS = 250

export function SignIn() {
  const [secret, setSecret] = useState('')
  const [isKept, setKept] = useState(false)
  const { error, isBusy, attempt } = useAttempt()
  const enter = (given: string) =>
    attempt(async () => {
      for (const one of [offeredToken, linkToken]) if (one.value === given) one.value = undefined
      signIn(given, await readUser({ secret: given }), isKept)
    })
  useEffect(() => document.getElementById('token')?.focus(), [])
  const offered = offeredToken.value ?? linkToken.value
  useEffect(() => {
    if (offered === undefined || isBusy) return
    const waiting = setTimeout(() => void enter(offered), offered === linkToken.value ? OTHER_TABS_MS : 0)
    return () => clearTimeout(waiting)
  }, [offered, isBusy])

  return (
    <main class="card stack sign-in">
      <h1>
        <img src="/assets/icon.svg" alt="" width="36" height="36" /> Deployment annotations
      </h1>
      {signOutReason.value && <Failure error={signOutReason.value} />}
      <Form onSubmit={() => void enter(secret.trim())}>
        <Field
          id="token"
          label="Token"
          type="password"
          spellcheck={false}
          required
          value={secret}
          onText={setSecret}
          aria-describedby="token-hint"
        />
        <Toggle isOn={isKept} onChange={() => setKept(!isKept)}>
          Stay signed in until I sign out, as everybody who uses this browser
        </Toggle>
        <button type="submit" class="primary" disabled={isBusy || secret.trim() === ''}>
          {isBusy ? 'Signing in…' : 'Sign in'}
        </button>
      </Form>
      <Failure error={error} />
      <p id="token-hint" class="hint">
        Your browser sends it to this service only. The service wrote the first one to its log.{' '}
        <a href="/help/tokens" target="_blank" rel="noopener">
          How to create another
        </a>
      </p>
    </main>
  )
}
