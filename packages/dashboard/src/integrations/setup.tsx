/** The steps on a platform after which its webhooks arrive here. */

import { isLoopback } from '@deployment-annotations/contract/loopback'
import { type PlatformName, platformRow } from '@deployment-annotations/contract/platform'
import { CopyLines } from '../parts/copy.tsx'
import { scriptLines, webhookUrl } from './platform-text.ts'

export function Setup({ platform, id }: { platform: PlatformName; id: string }) {
  return (
    <div class="setup">
      <ol>
        {platformRow(platform).steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {platform === 'generic' ? (
        <CopyLines text={scriptLines(location.origin, id)} of="the script" />
      ) : (
        <CopyLines text={webhookUrl(location.origin, platform, id)} of="the address" />
      )}
      {platform !== 'generic' && isLoopback(location.hostname) && (
        <p class="hint">
          {location.hostname} is this machine: platforms call from the internet, and need the public address of the service.
        </p>
      )}
    </div>
  )
}
