/** Signs in with a token, which is tried against the service before it is stored. */
import { useEffect, useState } from 'preact/hooks'
import { Code } from '../parts/code.tsx'
import { Failure } from '../parts/failure.tsx'
import { Field } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Checks } from '../parts/toggle.tsx'
import { useAttempt } from '../parts/use-attempt.ts'
import type { Keeping } from '../service/kept-token.ts'
import { offeredToken, signIn, signOutReason } from '../service/session.ts'
import { readUser } from '../service/user.ts'

export function SignIn() {
  const [secret, setSecret] = useState('')
  const { error, isBusy, attempt } = useAttempt()
  const [how, setHow] = useState<Keeping>('tabs')
  const enter = (given: string) => attempt(async () => signIn(given, await readUser(given), how))
  useEffect(() => document.getElementById('token')?.focus(), [])
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
