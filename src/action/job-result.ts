/** The result of the job, for the line that closes a span: the one that the workflow gave, or the runner's if it is reliable. */
import { readResult } from '@deployment-annotations/inputs/results'
import { BY_RUNNER } from './inputs.ts'

/**
 * @param given the input `result`
 * @returns `success`, `failure`, `canceled` or `skipped`; `ended` if the result is not known
 */
export function readJobResult(given: string, env: NodeJS.ProcessEnv): string {
  if (!given.startsWith(BY_RUNNER)) return readResult(given)
  return readResult(tellsJobResult(env) ? given.slice(BY_RUNNER.length) : '')
}

/**
 * Whether the default of `result` is the result of the job. Gitea's runner evaluates defaults once, before the main step, and
 * only what a workflow gives a second time (runner 3.1.0, November 2026). act, on which Forgejo's runner is built too, gives the
 * steps of a composite action a job of their own, which knows nothing of the steps around it; GITHUB_ACTION_PATH is the composite
 * action's folder there, and empty elsewhere (act 0.2.89, November 2026).
 */
function tellsJobResult(env: NodeJS.ProcessEnv): boolean {
  const isGitea = env.GITEA_ACTIONS === 'true' && env.FORGEJO_ACTIONS !== 'true'
  const isInComposite = env.ACT === 'true' && Boolean(env.GITHUB_ACTION_PATH)
  return !isGitea && !isInComposite
}
