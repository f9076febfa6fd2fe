/**
 * What becomes of monitors, notifiers and integrations when a dataset is removed that the token named which made them: they go on for
 * what is left. Those of tokens that reach all datasets are left as they are, because these tokens reach the next one of the name too.
 */
import { deletedName } from '@deployment-annotations/contract/dataset-name'
import { listIntegrations, lockIntegrations, updateIntegration } from '../automations/integration-records.ts'
import { listMonitors, lockMonitor, updateMonitor } from '../automations/monitor-records.ts'
import { listNotifiers, lockNotifiers, updateNotifier } from '../automations/notifier-records.ts'
import type { RecordsDatabase } from '../database/records.ts'

interface Reaching {
  reach?: string[]
  datasets: string[]
}

/** Part of the removal of a dataset: replaces its name as in the tokens. */
export async function retireReach(db: RecordsDatabase, name: string): Promise<void> {
  const rename = (names: readonly string[]) => names.map((one) => (one === name ? deletedName(name) : one))
  const isReached = ({ reach }: { reach?: readonly string[] }) => reach?.includes(name) ?? false
  const retired = <Of extends Reaching>({ reach = [], datasets, ...rest }: Of) => {
    return { ...rest, reach: rename(reach), datasets: rename(datasets) }
  }

  for (const { id } of (await listMonitors(db)).filter(({ definition }) => isReached(definition))) {
    const monitor = await lockMonitor(db, id)
    if (monitor && isReached(monitor.definition)) await updateMonitor(db, monitor, { definition: retired(monitor.definition) })
  }

  if ((await listNotifiers(db)).some(({ definition }) => isReached(definition))) {
    for (const notifier of (await lockNotifiers(db)).filter(({ definition }) => isReached(definition)))
      await updateNotifier(db, { ...notifier, definition: retired(notifier.definition) })
  }

  if ((await listIntegrations(db)).some(isReached)) {
    for (const integration of (await lockIntegrations(db)).filter(isReached)) {
      const rules = integration.rules.map((rule) => ({ ...rule, datasets: rename(rule.datasets) }))
      await updateIntegration(db, { ...retired(integration), rules })
    }
  }
}
