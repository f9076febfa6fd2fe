/** Reads from the CI's variables what the job deploys. */
import { TITLE_POINTS_MAX } from '@deployment-annotations/contract/annotation'
import { cutText } from '@deployment-annotations/contract/text'
import { describeSource, type Source } from '@deployment-annotations/inputs/source'
import { loadEvent } from './toolkit.ts'

/** For these events, the commit of the run is not the deployed one. */
const OF_OTHERS = /^(?:pull_request|workflow_run)/

export async function readSource(env: NodeJS.ProcessEnv): Promise<Source> {
  const { GITHUB_REPOSITORY: repository, GITHUB_SHA: commit, GITHUB_REF: branch, GITHUB_EVENT_NAME: event = '' } = env
  const source = { repository, commit, branch }
  return OF_OTHERS.test(event) ? { ...source, ...(await loadEvent()).readEventSource(env) } : source
}

/** @returns the default title, as the command builds it; `undefined` outside of CI */
export function buildTitle(source: Source): string | undefined {
  const title = describeSource(source)
  return title && cutText(title, TITLE_POINTS_MAX)
}
