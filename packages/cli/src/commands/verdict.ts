/** `annotate verdict`: waits for the verdict of the service on an annotation, and writes it where the CI shows it. */
import { COMPARISON_DEFAULTS, parseVerdicts } from '@deployment-annotations/inputs/comparison'
import { parseWait } from '@deployment-annotations/inputs/input-length'
import { parseId } from '@deployment-annotations/inputs/input-values'
import type { Command } from 'commander'
import { attempt } from '../attempt.ts'
import { createCommand, readFlags, SERVICE_FLAGS } from '../flags.ts'
import { parseSettings, readId } from '../inputs.ts'
import { print } from '../output.ts'
import { reportNoMark, reportVerdict, WAIT_FLAGS } from '../verdict.ts'

export function createVerdictCommand(): Command {
  const flags = [...WAIT_FLAGS, 'failOn', ...SERVICE_FLAGS, 'onOutage', 'json'] as const
  return createCommand('verdict', 'wait for the verdict of the service on an annotation: did it hurt?', flags)
    .argument('<ID>', 'the annotation')
    .action((id: string, given) => showVerdict(id, given))
}

async function showVerdict(givenId: string, given: object): Promise<void> {
  const id = readId(givenId)
  const raw = { ...readFlags(given, process.env), dryRun: 'false' }
  if (id === '') return reportNoMark(raw)
  await attempt('read the annotation', raw, async () => {
    const inputs = await parseSettings({ ...raw, id }, (flags) => ({
      waitMs: () => parseWait(flags.wait || COMPARISON_DEFAULTS.wait),
      failOn: () => parseVerdicts(flags.failOn),
      id: () => parseId(flags.id),
    }))
    await reportVerdict({ ...inputs, summaryFile: raw.summaryFile, tell: print })
  })
}
