/**
 * The row of a token.
 */
import { type Capability, PERMISSIONS, type Permission } from '@deployment-annotations/contract/permission'
import { createCodec, json, number, oneOf, optional, type RecordOf, type RowOf, text } from './row-codec.ts'

/** The permitted actions by resource. Datasets are listed by name, with `*` for all of them. */
export interface StoredCapabilities {
  datasets: Readonly<Record<string, Capability>>
  org: Capability
}

const TOKEN = {
  /** Begins with `tok_`. It names the token in the log. */
  id: text,
  name: text,
  /** Stored as an empty text if there is none. */
  description: { ...text, unset: '' } as const,
  kind: oneOf<'personal' | 'api'>(),
  /**
   * The permissions as they were given. They are empty for a personal token, which may do everything, and for one with capabilities.
   * Permissions that only a newer program knows allow nothing here.
   */
  permissions: { ...json<Permission[]>(), read: (stored: string) => (JSON.parse(stored) as unknown[]).filter(isPermission) },
  /** The permissions by dataset. If absent, the permissions apply to all datasets. */
  capabilities: optional(json<StoredCapabilities>()),
  /** It never expires if absent. */
  expiresAtMs: optional(number),
  /** The hash in hexadecimal. */
  sha256: text,
  /** RFC 3339. */
  createdAt: text,
}
export type TokenRecord = RecordOf<typeof TOKEN>
export type TokensTable = RowOf<typeof TOKEN>
export const TOKEN_CODEC = createCodec(TOKEN)

export function isPermission(value: unknown): value is Permission {
  return (PERMISSIONS as readonly unknown[]).includes(value)
}
