/** Who made annotations, by the ids that these keep: tokens, monitors and integrations. */
import { listIntegrations } from './integrations.ts'
import { listMonitors } from './monitors.ts'
import { may, user } from './session.ts'
import { listTokens } from './tokens.ts'

/** What to call each, by its id. One that is gone, or that the token may not see, is not among them. */
export type Makers = ReadonlyMap<string, string>

/** @returns those that the token may see: itself at least */
export async function listMakers(signal: AbortSignal): Promise<Makers> {
  const [tokens, monitors, integrations] = await Promise.all([
    may('apiTokens|read') ? listTokens(signal) : [],
    may('monitors|read') ? listMonitors(signal) : [],
    may('integrations|read') ? listIntegrations(signal) : [],
  ])
  const own = user.value ? [user.value] : []
  return new Map([
    ...[...own, ...tokens].map(({ id, name }) => [id, name] as const),
    ...monitors.map(({ id, name }) => [id, `${name} (monitor)`] as const),
    ...integrations.map(({ id, name }) => [id, `${name} (integration)`] as const),
  ])
}
