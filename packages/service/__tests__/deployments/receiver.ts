/**
 * What receives webhooks over records of a test's own making, without HTTP; and requests of a script for it.
 */

import { genericEvent, SECRET, signGeneric } from '../../../edge/__tests__/platforms/webhooks.ts'
import type { Records } from '../../../records/src/database/records.ts'
import { createLog } from '../../../runtime/src/log.ts'
import { createDeployments, type Deployments } from '../../src/automations/deployments/deployments.ts'
import type { Integration } from '../../src/automations/integrations/integration.ts'

export const INTEGRATION: Integration = {
  id: 'int_1',
  platform: 'generic',
  name: 'shop',
  datasets: ['web'],
  type: 'deploy',
  title: '{version}',
  environments: [],
  rules: [],
  createdAt: '2026-03-01T12:00:00Z',
}

export function receiver(records: Records): Deployments {
  return createDeployments({
    records,
    integrations: { ofPlatform: () => [{ integration: INTEGRATION, secret: SECRET }] },
    log: createLog(() => undefined),
    clock: Date.now,
  })
}

/** An event of the deployment that is called like its version. */
export function requestOf(status: string, time: string, version: string) {
  const { body, headers } = signGeneric(genericEvent(status, time, { deployment: version, version }))
  return { body: Buffer.from(body), headers }
}
