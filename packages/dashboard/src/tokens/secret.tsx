/** The secret of a new token. It is shown here, once: it is in no address, no storage, and no other answer. */
import { CopyButton } from '../parts/copy-button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import type { MadeToken } from '../service/tokens.ts'

export function Secret({ made, onClose }: { made: MadeToken; onClose: () => void }) {
  return (
    <Dialog title="Token created" onClose={onClose}>
      <p>
        This is the secret of <strong class="clip">{made.name}</strong>. It is shown only this once: copy it now to where it is
        needed, such as the secrets of a repository. The service keeps only its hash; if you lose it, create a new token.
      </p>
      <p>
        <code class="secret">{made.token}</code>
      </p>
      <div class="row">
        <CopyButton text={made.token} />
        <button type="button" class="push" onClick={onClose}>
          I have it
        </button>
      </div>
    </Dialog>
  )
}
