/**
 * What becomes of monitors, notifiers and integrations when a dataset is removed that the token named which made them: they go on for
 * what is left. Those of tokens that reach all datasets are left as they are, because these tokens reach the next one of the name too.
 */
import { deletedName } from '@deployment-annotations/contract/dataset-name'
import { listIntegrations, lockIntegrations, updateIntegration } from '../automations/integration-records.ts'
import { findMonitor, lockMonitor, updateMonitor } from '../automations/monitor-records.ts'
import { listNotifiers, lockNotifiers, updateNotifier } from '../automations/notifier-records.ts'
import type { RecordsDatabase } from '../database/records.ts'

/** Part of the removal of a dataset: replaces its name as in the tokens. */
export async function retireReach(db: RecordsDatabase, name: string): Promise<void> {
  const rename = (names: readonly string[]) => names.map((one) => (one === name ? deletedName(name) : one))
  const isReached = ({ reach }: { reach?: readonly string[] }) => reach?.includes(name) ?? false
  await retireFromMonitors(db, name, rename)

  if ((await listNotifiers(db)).some(({ definition }) => isReached(definition))) {
    for (const notifier of await lockNotifiers(db)) {
      const { definition } = notifier
      if (!isReached(definition)) continue
      const [reach, datasets] = [rename(definition.reach ?? []), rename(definition.datasets)]
      await updateNotifier(db, { ...notifier, definition: { ...definition, reach, datasets } })
    }
  }

  if ((await listIntegrations(db)).some(isReached)) {
    for (const integration of await lockIntegrations(db)) {
      if (!isReached(integration)) continue
      const { datasets, rules, reach = [] } = integration
      const renamed = rules.map((rule) => ({ ...rule, datasets: rename(rule.datasets) }))
      await updateIntegration(db, { ...integration, datasets: rename(datasets), rules: renamed, reach: rename(reach) })
    }
  }
}

async function retireFromMonitors(db: RecordsDatabase, name: string, rename: (names: readonly string[]) => string[]) {
  const naming = await db.selectFrom('monitors').select('id').where('definition', 'like', `%"${name}"%`).orderBy('id').execute()
  for (const { id } of naming) {
    if (!(await findMonitor(db, id))?.definition.reach?.includes(name)) continue
    const monitor = await lockMonitor(db, id)
    if (!monitor) continue
    const { definition } = monitor
    const [reach, datasets] = [rename(definition.reach ?? []), rename(definition.datasets)]
    await updateMonitor(db, monitor, { definition: { ...definition, reach, datasets } })
  }
}
