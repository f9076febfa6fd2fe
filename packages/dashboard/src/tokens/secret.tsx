/** The secret of a token that was just made. It is shown here, once: it is in no address, no storage, and no other answer. */
import { CopyButton } from '../parts/copy-button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import type { MadeToken } from '../service/tokens.ts'

export function Secret({ made, onClose }: { made: MadeToken; onClose: () => void }) {
  return (
    <Dialog title="The token is made" onClose={onClose}>
      <p>
        This is the secret of <strong class="clip">{made.name}</strong>. It is shown only this once: copy it now to where it is
        needed, such as the secrets of a repository. The service keeps no more than its hash; whoever lost it makes a new one.
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
