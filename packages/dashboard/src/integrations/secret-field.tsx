/** The field for a secret that a platform made. */
import {
  type PlatformName,
  WEBHOOK_SECRET_LENGTH_MAX,
  WEBHOOK_SECRET_LENGTH_MIN,
} from '@deployment-annotations/contract/integration'
import { PLATFORM_NAMES } from './platform-text.ts'

interface SecretFieldProps {
  platform: PlatformName
  secret: string
  isRequired: boolean
  onChange: (secret: string) => void
}

export function SecretField({ platform, secret, isRequired, onChange }: SecretFieldProps) {
  return (
    <>
      <label for="integration-secret">Secret</label>
      <input
        id="integration-secret"
        type="password"
        autocomplete="off"
        spellcheck={false}
        required={isRequired}
        minLength={WEBHOOK_SECRET_LENGTH_MIN}
        maxLength={WEBHOOK_SECRET_LENGTH_MAX}
        value={secret}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
        aria-describedby="integration-secret-hint"
      />
      <p id="integration-secret-hint" class="hint">
        {isRequired
          ? `${PLATFORM_NAMES[platform]} makes the secret, and shows it after its webhook was made there.`
          : 'Leave it empty to have one made, which is shown once.'}
      </p>
    </>
  )
}
