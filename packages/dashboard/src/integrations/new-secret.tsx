/** The dialogs that set or replace the secret of an integration and show it once. */

import { WEBHOOK_SECRET_LENGTH_MAX, WEBHOOK_SECRET_LENGTH_MIN } from '@deployment-annotations/contract/integration'
import { type PlatformName, platformRow } from '@deployment-annotations/contract/platform'
import type { Integration, MadeIntegration } from '@deployment-annotations/contract/schemas/integration'
import { useState } from 'preact/hooks'
import { Field } from '../parts/field.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { ShownOnce } from '../parts/shown-once.tsx'
import { regenerateSecret } from '../service/integrations.ts'
import { Setup } from './setup.tsx'

interface SecretFieldProps {
  platform: PlatformName
  secret: string
  isRequired: boolean
  onChange: (secret: string) => void
}

export function SecretField({ platform, secret, isRequired, onChange }: SecretFieldProps) {
  return (
    <Field
      id="integration-secret"
      label="Secret"
      type="password"
      spellcheck={false}
      required={isRequired}
      minLength={WEBHOOK_SECRET_LENGTH_MIN}
      maxLength={WEBHOOK_SECRET_LENGTH_MAX}
      value={secret}
      onText={onChange}
      hint={
        isRequired
          ? `${platformRow(platform).label} makes the secret, and shows it after its webhook was made there.`
          : 'Leave it empty to have one made, which is shown once.'
      }
    />
  )
}

interface NewSecretProps {
  integration: Integration
  onClose: () => void
  onMade: (made: MadeIntegration) => void
}

export function NewSecret({ integration: { id, name, platform }, onClose, onMade }: NewSecretProps) {
  const [secret, setSecret] = useState('')
  return (
    <FormDialog
      title="Replace the secret?"
      action="Replace"
      task={async () => onMade(await regenerateSecret(id, secret.trim()))}
      isDangerous
      onClose={onClose}
    >
      <p>
        <strong class="clip">{name}</strong>
      </p>
      <p>
        The secret that it has is refused at once. Webhooks that {platformRow(platform).label} sends before it has the new one are
        refused too, and not all platforms send them again.
      </p>
      <SecretField
        platform={platform}
        secret={secret}
        isRequired={platformRow(platform).makesOwnSecret === true}
        onChange={setSecret}
      />
    </FormDialog>
  )
}

interface MadeProps {
  made: MadeIntegration
  /** Whether the integration itself is new, and not only its secret. */
  isNew: boolean
  onClose: () => void
}

export function Made({ made: { id, name, platform, secret }, isNew, onClose }: MadeProps) {
  const title = isNew ? 'Integration created' : 'Secret replaced'
  return (
    <ShownOnce title={title} text={secret} what="secret" after={<Setup platform={platform} id={id} />} onClose={onClose}>
      {secret === undefined ? (
        <>
          <strong class="clip">{name}</strong> takes what {platformRow(platform).label} signs with the secret that you gave.
        </>
      ) : (
        <>
          This is the secret of <strong class="clip">{name}</strong>. It is shown only this once: give it to the platform now.
        </>
      )}
    </ShownOnce>
  )
}
