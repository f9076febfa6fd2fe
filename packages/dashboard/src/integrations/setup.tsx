/** The steps on a platform after which its webhooks arrive here. */

import { webhookPath } from '@deployment-annotations/contract/integration'
import { type PlatformName, platformRow } from '@deployment-annotations/contract/platform'
import { CopyLines } from '../parts/copy.tsx'

/** For a shell with curl and openssl; `{address}` is where the webhooks go. */
const SCRIPT = `mark() {
  body=$(printf '{"deployment":"%s","status":"%s","time":"%s","project":"shop","environment":"production","version":"%s"}' \\
    "$DEPLOYMENT" "$1" "$(date -u +%FT%TZ)" "$VERSION")
  signature=$(printf %s "$body" | openssl dgst -sha256 -hmac "$SECRET" -hex | sed 's/.* //')
  curl -sS --fail-with-body {address} \\
    -H 'Content-Type: application/json' -H "X-Signature-256: sha256=$signature" -d "$body"
}

mark started
./deploy.sh && mark succeeded || mark failed`

/** @param id absent before the integration is created */
export function Setup({ platform, id }: { platform: PlatformName; id?: string }) {
  const address = location.origin + webhookPath(platform, id)
  const isScript = platform === 'generic'
  return (
    <div class="setup">
      <ol>
        {platformRow(platform).steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <CopyLines text={isScript ? SCRIPT.replace('{address}', address) : address} of={isScript ? 'the script' : 'the address'} />
    </div>
  )
}
