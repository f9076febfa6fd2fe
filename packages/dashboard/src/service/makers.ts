/** Lists the makers of annotations by their ids: tokens, monitors and integrations. */
import { integrationRequests } from './integrations.ts'
import { monitorRequests } from './monitors.ts'
import { may, user } from './session.ts'
import { tokenRequests } from './tokens.ts'

/** The name of each maker by its id. Makers that were deleted, or that the token may not read, are missing. */
export type Makers = ReadonlyMap<string, string>

/** @returns the makers that the token may read, which include itself */
export async function listMakers(signal: AbortSignal): Promise<Makers> {
  const [tokens, monitors, integrations] = await Promise.all([
    may('apiTokens|read') ? tokenRequests.list(signal) : [],
    may('monitors|read') ? monitorRequests.list(signal) : [],
    may('integrations|read') ? integrationRequests.list(signal) : [],
  ])
  return new Map([
    ...[...(user.value ? [user.value] : []), ...tokens].map(({ id, name }) => [id, name] as const),
    ...monitors.map(({ id, name }) => [id, `${name} (monitor)`] as const),
    ...integrations.map(({ id, name }) => [id, `${name} (integration)`] as const),
  ])
}
