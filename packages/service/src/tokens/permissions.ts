/**
 * What an API token may be allowed to do, named `resource|action`. A personal token may do everything.
 */
export const PERMISSIONS = [
  'annotations|create',
  'annotations|read',
  'annotations|update',
  'annotations|delete',
  'ingest|create',
  'query|read',
  'datasets|create',
  'datasets|read',
  'datasets|update',
  'datasets|delete',
  'monitors|create',
  'monitors|read',
  'monitors|update',
  'monitors|delete',
] as const

export type Permission = (typeof PERMISSIONS)[number]

/** @throws Error listing the valid ones */
export function parsePermission(text: string): Permission {
  if (!isPermission(text)) throw new Error(`${JSON.stringify(text)} is not a permission; valid are ${PERMISSIONS.join(', ')}`)
  return text
}

export function isPermission(value: unknown): value is Permission {
  return (PERMISSIONS as readonly unknown[]).includes(value)
}
