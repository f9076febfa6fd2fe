/** Signs in with a token, which is tried against the service before it is stored. */
import { useEffect, useState } from 'preact/hooks'
import { Code } from '../parts/code.tsx'
import { Failure } from '../parts/failure.tsx'
import { Field } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Checks } from '../parts/toggle.tsx'
import { useAttempt } from '../parts/use-attempt.ts'
import type { Keeping } from '../service/kept-token.ts'
import { linkToken, offeredToken, signIn, signOutReason } from '../service/session.ts'
import { readUser } from '../service/user.ts'

/** How long the token of a link waits for that of another tab: whoever is signed in there is asked. */
const OTHER_TABS_MS = 250

export function SignIn() {
  const [secret, setSecret] = useState('')
  const { error, isBusy, attempt } = useAttempt()
  const [how, setHow] = useState<Keeping>('tabs')
  const enter = (given: string) =>
    attempt(async () => {
      for (const one of [offeredToken, linkToken]) if (one.value === given) one.value = undefined
      signIn(given, await readUser(given), how)
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
        <Checks legend="Stay signed in" oneOf="keeping" options={KEEPINGS} chosen={[how]} onPick={setHow} />
        <button type="submit" class="primary" disabled={isBusy || secret.trim() === ''}>
          {isBusy ? 'Signing in…' : 'Sign in'}
        </button>
      </Form>
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
