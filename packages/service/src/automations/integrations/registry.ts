/**
 * Which integrations there are now, with their secrets. The files are looked at on every request, so that one that was made,
 * changed or removed counts from the next request on. Secrets are in memory only while the files stay as they are.
 */
import { fileState } from '../../files/list-file.ts'
import { decrypt, encryptionKeyPath, requireEncryptionKey } from './encryption.ts'
import type { Integration, PlatformName } from './integration.ts'
import { integrationFilePath, readIntegrations } from './integration-file.ts'

interface IntegrationWithSecret {
  integration: Integration
  secret: string
}

export interface IntegrationRegistry {
  /** @throws Error when the files have become unreadable: no request is let in because older ones allowed it */
  ofPlatform(platform: PlatformName): readonly IntegrationWithSecret[]
  find(id: string): Integration | undefined
}

/** @throws Error when the file is there and unreadable, or its secrets cannot be decrypted */
export function openIntegrationRegistry(dataDir: string): IntegrationRegistry {
  const paths = [integrationFilePath(dataDir), encryptionKeyPath(dataDir)]
  let state = ''
  let known: IntegrationWithSecret[] = []

  const refresh = () => {
    const now = paths.map(fileState).join()
    if (now === state) return
    known = readAll(dataDir)
    state = now
  }
  refresh()
  return {
    ofPlatform(platform) {
      refresh()
      return known.filter(({ integration }) => integration.platform === platform)
    },
    find(id) {
      refresh()
      return known.find(({ integration }) => integration.id === id)?.integration
    },
  }
}

function readAll(dataDir: string): IntegrationWithSecret[] {
  const records = readIntegrations(dataDir)
  if (records.length === 0) return []
  const key = requireEncryptionKey(dataDir)
  return records.map(({ encryptedSecret, ...integration }) => ({
    integration,
    secret: decrypt(encryptedSecret, key, integration.id),
  }))
}
