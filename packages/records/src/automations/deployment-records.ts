/**
 * Deployments as records. Every function runs as part of a transaction. Rows are never deleted, so that a late repeat still finds its
 * deployment. Deliberately not here: the known facts about a deployment, which are one text to the records.
 */
import type { RecordsDatabase } from '../database/records.ts'
import { DEPLOYMENT_CODEC, type StoredDeployment } from '../schema/integrations.ts'

export type { StoredDeployment } from '../schema/integrations.ts'

/**
 * Locks the deployment until the transaction ends, so that others wait for it. Creates it if there is none.
 * @returns the earlier one, if there was one
 */
export async function lockDeployment(
  db: RecordsDatabase,
  fresh: StoredDeployment,
  createdAtMs: number,
): Promise<StoredDeployment | undefined> {
  const made = await db
    .insertInto('deployments')
    .values({ ...DEPLOYMENT_CODEC.toRow(fresh), created_at_ms: BigInt(createdAtMs) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('deployment')
    .executeTakeFirst()
  if (made) return undefined
  const row = await db
    .selectFrom('deployments')
    .selectAll()
    .where(({ and }) => and({ integration: fresh.integration, deployment: fresh.deployment }))
    .forUpdate()
    .executeTakeFirstOrThrow()
  return DEPLOYMENT_CODEC.fromRow(row)
}

/** Writes the known facts and the state of an existing deployment. */
export async function updateDeployment(
  db: RecordsDatabase,
  { integration, deployment, known, state }: StoredDeployment,
): Promise<void> {
  await db
    .updateTable('deployments')
    .set({ known, state })
    .where(({ and }) => and({ integration, deployment }))
    .execute()
}
