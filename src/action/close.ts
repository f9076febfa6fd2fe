/** The whole post step: find out what the main step left, and close the release span. It never fails the job. */
import { finish, type Leftover } from '@deployment-annotations/inputs/close'
import { explain } from '@deployment-annotations/inputs/explain'
import { parseWait } from '@deployment-annotations/inputs/input-length'
import { parseCorrected } from '@deployment-annotations/inputs/parse-corrected'
import { parseService } from '@deployment-annotations/inputs/service'
import { callOptions, connect } from './connect.ts'
import { INPUT_DEFAULTS, type RawInputs } from './inputs.ts'
import { readJobResult } from './job-result.ts'
import { debugInputs, readInputs } from './read-inputs.ts'
import { NO_TOKEN, STEP } from './step-door.ts'
import { core, loadCorrections, outliveLog, summarize } from './toolkit.ts'

export async function close(leftover: Leftover): Promise<void> {
  const { intent } = leftover
  outliveLog()
  try {
    const raw = readInputs()
    await debugInputs(raw)
    const given = { raw, defaults: INPUT_DEFAULTS, parse: parseCloseInputs, load: loadCorrections }
    const { service, result, waitMs, summary } = (await parseCorrected(given)).inputs
    await using client = connect(service)
    const caller = { annotations: client.annotations, options: callOptions, tell: core.info }
    const finished = await finish(caller, leftover, result)
    const id = finished?.id ?? leftover.id
    if (id === undefined) core.info('The main step got no answer, and the service has no such annotation: nothing to close.')
    if (id === undefined || waitMs === 0 || !result.startsWith('success')) return
    const { reportVerdict } = await import('./verdict.ts' /* webpackIgnore: true */)
    await reportVerdict(id, caller, { waitMs, warn: core.warning, summarize: summary ? summarize : async () => undefined })
  } catch (error) {
    core.warning(explain(error, intent.isSpan ? 'close the release span' : 'look for the annotation', STEP))
  }
}

/**
 * The inputs that the post step needs.
 * @throws InputError
 */
function parseCloseInputs(raw: RawInputs) {
  return {
    service: parseService(raw, NO_TOKEN),
    result: readJobResult(raw.result, process.env),
    waitMs: parseWait(raw.wait),
    summary: raw.summary !== 'false',
  }
}
