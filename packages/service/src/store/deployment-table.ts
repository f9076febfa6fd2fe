/**
 * The deployment store over the table `deployments`. Statements are fixed texts; what varies is bound.
 */
import type { DeploymentStore, StoredDeployment } from './deployment-store.ts'
import type { Engine } from './engine.ts'

const READ_LIMIT = 'SETTINGS max_execution_time = 10'
const MEMBERS = 'integration, deployment, annotation, known, state'

export function createDeploymentTable(engine: Engine): DeploymentStore {
  return {
    async find(integration, deployment) {
      const rows = await engine.select<StoredDeployment>(
        `SELECT ${MEMBERS} FROM deployments
WHERE integration = {integration:String} AND deployment = {deployment:String} LIMIT 1 ${READ_LIMIT}`,
        { integration, deployment },
      )
      return rows[0]
    },

    create: (deployment, createdAtMs) => engine.insert('deployments', [{ ...deployment, created_at_ms: String(createdAtMs) }]),

    change: ({ integration, deployment, known, state }) =>
      engine.run(
        `UPDATE deployments SET known = {known:String}, state = {state:String}
WHERE integration = {integration:String} AND deployment = {deployment:String}`,
        { integration, deployment, known, state },
      ),

    listUnfinished: (limit) =>
      engine.select<StoredDeployment>(
        `SELECT ${MEMBERS} FROM deployments WHERE state IN ('new', 'due') ORDER BY created_at_ms LIMIT {limit:UInt32} ${READ_LIMIT}`,
        { limit },
      ),
  }
}
