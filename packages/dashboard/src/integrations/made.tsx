/** What comes after an integration was made or got another secret: the secret, which is in no other answer, and what to do with it. */
import type { MadeIntegration } from '@deployment-annotations/contract/schemas/integration'
import { CopyButton } from '../parts/copy-button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { PLATFORM_NAMES } from './platform-text.ts'
import { Setup } from './setup.tsx'

interface MadeProps {
  made: MadeIntegration
  /** It is there now, and not only its secret. */
  isNew: boolean
  onClose: () => void
}

export function Made({ made: { name, platform, secret }, isNew, onClose }: MadeProps) {
  return (
    <Dialog title={isNew ? 'Integration created' : 'Secret replaced'} onClose={onClose}>
      {secret === undefined ? (
        <p>
          <strong class="clip">{name}</strong> takes what {PLATFORM_NAMES[platform]} signs with the secret that you gave.
        </p>
      ) : (
        <>
          <p>
            This is the secret of <strong class="clip">{name}</strong>. It is shown only this once: give it to the platform now.
          </p>
          <p>
            <code class="secret">{secret}</code>
          </p>
          <CopyButton text={secret} label="Copy the secret" />
        </>
      )}
      <Setup platform={platform} />
      <div class="row end">
        <button type="button" class="primary" onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  )
}
