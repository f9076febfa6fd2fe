/** `annotate close`: ends a span and adds a line with the result. */
import type { Leftover } from '@deployment-annotations/inputs/close'
import { refuse } from '@deployment-annotations/inputs/input-error'
import { parseWait } from '@deployment-annotations/inputs/input-length'
import { parseId } from '@deployment-annotations/inputs/input-values'
import { parseType } from '@deployment-annotations/inputs/mark-values'
import { readResult } from '@deployment-annotations/inputs/results'
import type { Command } from 'commander'
import { attempt } from '../attempt.ts'
import { readJobResult } from '../ci/job-result.ts'
import { closeLeftover } from '../close-leftover.ts'
import { createCommand, type RawFlags, readFlags, SERVICE_FLAGS } from '../flags.ts'
import { parseSettings } from '../inputs.ts'
import { log, print, printJson } from '../output.ts'
import { forgetSpan, readSpan } from '../span-file.ts'
import { reportVerdict, WAIT_FLAGS } from '../verdict.ts'

/** Results that say that nothing was deployed. */
const HAS_NOT_ARRIVED = /^(?:failure|canceled|skipped)\b/

export function createCloseCommand(): Command {
  return createCommand('close', 'end a span', [
    'result',
    'typeOnFailure',
    'state',
    ...WAIT_FLAGS,
    ...SERVICE_FLAGS,
    'onOutage',
    'onError',
    'json',
  ])
    .argument('[ID]', 'the ID that open printed; not needed with --state')
    .action((id: string | undefined, given) => close(id, given))
}

async function close(id: string | undefined, given: object): Promise<void> {
  const raw = readFlags(given, process.env)
  await attempt('close the release span', raw, async () => {
    const { leftover, service, json, waitMs } = await parseSettings(
      { ...raw, dryRun: 'false', id: id ?? '' },
      (flags) => ({
        leftover: () => readLeftover(id && flags.id, flags),
        waitMs: () => parseWait(flags.wait),
      }),
      id !== '',
    )
    const result = readResult(raw.result || readJobResult(process.env))
    const closed = leftover && (await closeLeftover(leftover, { service, result, tell: json ? log : print }))
    if (closed === undefined) log('No span was opened: nothing to close.')
    if (json) printJson(closed ?? null)
    if (id === undefined) forgetSpan(raw.state)
    // Nothing was deployed, so there is no verdict to wait for.
    if (closed && waitMs > 0 && !HAS_NOT_ARRIVED.test(result))
      await reportVerdict({ id: closed.id, service, waitMs, summaryFile: raw.summaryFile })
  })
}

function readLeftover(id: string | undefined, raw: RawFlags): Leftover | undefined {
  // The ID is empty if `open` printed none, as in an outage. That must not fail the job now.
  if (id === '') return undefined
  const typeOnFailure = raw.typeOnFailure === '' ? undefined : parseType(raw.typeOnFailure, 'typeOnFailure')
  if (id !== undefined) return { id: parseId(id), doubt: false, intent: { isSpan: true, hasOwnTime: false, typeOnFailure } }
  if (raw.state !== '') return readSpan(raw.state)
  return refuse('id', ' is missing: give what open has printed, or the file of open with --state')
}
