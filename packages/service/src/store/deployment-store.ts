/**
 * Deployments as kept. Deliberately not here: what is known of one, which is a text to the store.
 */

/**
 * `new`: the annotation may not be there yet. `due`: it may not show yet what is known. `shown`: it does.
 * `gone`: a person deleted it, and it stays deleted.
 */
type DeploymentRowState = 'new' | 'due' | 'shown' | 'gone'

export interface StoredDeployment {
  /** Id of the integration. */
  integration: string
  /** The platform's id. */
  deployment: string
  /** Id of its annotation, chosen before that is made. */
  annotation: string
  known: string
  state: DeploymentRowState
}

export interface DeploymentStore {
  find(integration: string, deployment: string): Promise<StoredDeployment | undefined>
  /** Resolves once it is on disk. */
  create(deployment: StoredDeployment, createdAtMs: number): Promise<void>
  /** Sets what is known and the state. Resolves once on disk. */
  change(deployment: StoredDeployment): Promise<void>
  /** Those whose annotation may be behind: `new` or `due`. */
  listUnfinished(limit: number): Promise<StoredDeployment[]>
}
