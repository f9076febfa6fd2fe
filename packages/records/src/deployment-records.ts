/**
 * Deployments as records: rows to values and back, each statement as part of a transaction. Rows are kept forever, so that a
 * repeat that comes late finds its deployment. Deliberately not here: what is known of one, which is a text to the records.
 */
import type { RecordsDatabase } from './records.ts'

export interface StoredDeployment {
  /** Id of the integration. */
  integration: string
  /** The platform's id. */
  deployment: string
  /** Id of its annotation. */
  annotation: string
  known: string
  /** `gone`: a person deleted its annotation, and it stays deleted. */
  state: 'shown' | 'gone'
}

/**
 * Takes the deployment for this transaction; where there is none yet, makes it. Others who want the same one wait.
 * @returns the earlier one, if there is one
 */
export async function lockDeployment(
  db: RecordsDatabase,
  fresh: StoredDeployment,
  createdAtMs: number,
): Promise<StoredDeployment | undefined> {
  const made = await db
    .insertInto('deployments')
    .values({ ...fresh, created_at_ms: BigInt(createdAtMs) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('deployment')
    .executeTakeFirst()
  if (made) return undefined
  const row = await db
    .selectFrom('deployments')
    .selectAll()
    .where('integration', '=', fresh.integration)
    .where('deployment', '=', fresh.deployment)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const { integration, deployment, annotation, known, state } = row
  return { integration, deployment, annotation, known, state: state === 'gone' ? 'gone' : 'shown' }
}

/** Writes what is known, and the state, of a deployment that is there. */
export async function updateDeployment(
  db: RecordsDatabase,
  { integration, deployment, known, state }: StoredDeployment,
): Promise<void> {
  await db
    .updateTable('deployments')
    .set({ known, state })
    .where('integration', '=', integration)
    .where('deployment', '=', deployment)
    .execute()
}
