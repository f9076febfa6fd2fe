/** Groups permissions by resource, and has the usual sets of them. Pure. */

/** @returns the actions of every resource, in the order given: `[['annotations', ['create', 'read']]]` */
export function groupPermissions(permissions: readonly string[]): [resource: string, actions: string[]][] {
  const pairs = permissions.map((permission) => permission.split('|'))
  const groups = Map.groupBy(pairs, ([resource = '']) => resource)
  return [...groups].map(([resource, own]) => [resource, own.map(([, action = '']) => action)])
}

/** Hints for resources whose name does not say enough. */
export const RESOURCE_HINTS: Readonly<Record<string, string>> = {
  ingest: 'send events',
  query: 'ask about events',
  trim: 'delete events by their age',
  apiTokens: 'manage tokens that may do no more',
}

interface Preset {
  name: string
  /** What it does with them. */
  hint: string
  has: (permission: string) => boolean
}

export const PRESETS: readonly Preset[] = [
  {
    name: 'CI step',
    // The clean-up looks for what a lost answer may have left, and deletes a second copy.
    hint: 'marks deployments, closes release spans, and cleans up after lost answers',
    has: (permission) => permission.startsWith('annotations|'),
  },
  { name: 'Log shipper', hint: 'sends events and can do nothing else', has: (permission) => permission === 'ingest|create' },
  {
    name: 'Read only',
    hint: 'sees everything but tokens and changes nothing',
    has: (permission) => permission.endsWith('|read') && permission !== 'apiTokens|read',
  },
]
