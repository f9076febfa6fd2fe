/** Gives an integration another secret: until the platform has it, its webhooks are refused. */
import { MAKES_OWN_SECRET } from '@deployment-annotations/contract/integration'
import type { Integration, MadeIntegration } from '@deployment-annotations/contract/schemas/integration'
import { useState } from 'preact/hooks'
import { Dialog } from '../parts/dialog.tsx'
import { Failure } from '../parts/failure.tsx'
import { FormButtons } from '../parts/form-buttons.tsx'
import { useAttempt } from '../parts/use-attempt.ts'
import { regenerateSecret } from '../service/integrations.ts'
import { PLATFORM_NAMES } from './platform-text.ts'
import { SecretField } from './secret-field.tsx'

interface NewSecretProps {
  integration: Integration
  onClose: () => void
  onMade: (made: MadeIntegration) => void
}

export function NewSecret({ integration: { id, name, platform }, onClose, onMade }: NewSecretProps) {
  const [secret, setSecret] = useState('')
  const { error, isBusy, attempt } = useAttempt()
  return (
    <Dialog title="Replace the secret?" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void attempt(async () => onMade(await regenerateSecret(id, secret.trim())))
        }}
      >
        <p>
          <strong class="clip">{name}</strong>
        </p>
        <p>
          The secret that it has is refused at once. Webhooks that {PLATFORM_NAMES[platform]} sends before it has the new one are
          refused too, and not all platforms send them again.
        </p>
        <SecretField platform={platform} secret={secret} isRequired={MAKES_OWN_SECRET.has(platform)} onChange={setSecret} />
        <Failure error={error} />
        <FormButtons action="Replace" isBusy={isBusy} isDangerous onClose={onClose} />
      </form>
    </Dialog>
  )
}
