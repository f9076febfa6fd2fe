/**
 * Reads the names of permissions, as the `token` subcommands and the token file have them.
 */
import { PERMISSIONS, type Permission } from '@deployment-annotations/contract/token'

/** @throws Error listing the valid ones */
export function parsePermission(text: string): Permission {
  if (!isPermission(text)) throw new Error(`${JSON.stringify(text)} is not a permission; valid are ${PERMISSIONS.join(', ')}`)
  return text
}

export function isPermission(value: unknown): value is Permission {
  return (PERMISSIONS as readonly unknown[]).includes(value)
}
