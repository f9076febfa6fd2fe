/**
 * Deployments as earlier versions kept them, in the events' database. Only read: they are taken over into the records.
 */
import type { Engine } from '../store/engine.ts'

export interface EarlierDeployment {
  /** Id of the integration. */
  integration: string
  /** The platform's id. */
  deployment: string
  /** Id of its annotation. */
  annotation: string
  known: string
  /**
   * `new`: the annotation may not be there yet. `due`: it may not show yet what is known. `shown`: it does.
   * `gone`: a person deleted it, and it stays deleted.
   */
  state: 'new' | 'due' | 'shown' | 'gone'
  createdAtMs: number
}

/** @returns all of them, the oldest first; of one that two services took in at one moment, the first row */
export async function readDeploymentRows(engine: Engine): Promise<EarlierDeployment[]> {
  const rows = await engine.select<Omit<EarlierDeployment, 'createdAtMs'> & { created_at: string }>(
    `SELECT integration, deployment, annotation, known, state, toString(created_at_ms) AS created_at
FROM deployments ORDER BY created_at_ms, integration, deployment LIMIT 1 BY integration, deployment`,
  )
  return rows.map(({ created_at, ...members }) => ({ ...members, createdAtMs: Number(created_at) }))
}
