/**
 * The flags as checked inputs: by the rules of packages/inputs, in the command's words. All problems are reported at once.
 */
import { readFileSync } from 'node:fs'
import { TITLE_POINTS_MAX } from '@deployment-annotations/contract/annotation'
import type { AnnotationPart } from '@deployment-annotations/contract/annotation-part'
import { cutText } from '@deployment-annotations/contract/text'
import { buildAnnotation, type TimedAnnotation } from '@deployment-annotations/inputs/annotation'
import type { Door } from '@deployment-annotations/inputs/door'
import { parseAll, refuse } from '@deployment-annotations/inputs/input-error'
import { parseBoolean, parseChoice } from '@deployment-annotations/inputs/input-values'
import { type NewOperation, parseCreate } from '@deployment-annotations/inputs/mark'
import { readPart } from '@deployment-annotations/inputs/save'
import { parseService, type ServiceInputs } from '@deployment-annotations/inputs/service'
import { quote } from '@deployment-annotations/inputs/text'
import { parseVerdictWait } from '@deployment-annotations/inputs/verdict-wait'
import type { Job } from './ci/job.ts'
import { type RawFlags, toFlag } from './flags.ts'

const nameOf = (input: string) => (input === 'id' ? 'ID' : toFlag(input))

/** What messages of the command call an input. */
export const COMMAND: Door = { subject: nameOf, mention: nameOf, program: 'command' }

const NO_TOKEN = 'set ANNOTATE_TOKEN to a masked variable of your CI, or give --token-file'

export interface Settings {
  service: ServiceInputs
  dryRun: boolean
  json: boolean
}

/** @returns the parsers of what every subcommand takes, for `parseAll` */
export function settingsParsers(
  raw: RawFlags,
  isWithToken = raw.dryRun !== 'true',
): { [K in keyof Settings]: () => Settings[K] } & { onOutage: () => string; onError: () => string } {
  return {
    service: () => {
      const token = raw.dryRun === 'true' ? '' : readToken(raw)
      return parseService({ ...raw, token }, { needsToken: isWithToken, noToken: NO_TOKEN })
    },
    dryRun: () => parseBoolean('dryRun', raw.dryRun),
    json: () => parseBoolean('json', raw.json),
    onOutage: () => parseChoice('onOutage', raw.onOutage, ['warn', 'fail']),
    onError: () => parseChoice('onError', raw.onError, ['fail', 'warn']),
  }
}

export interface MarkInputs extends Settings {
  annotation: TimedAnnotation
  key: string | undefined
  /** Which of the jobs that share the annotation this is. */
  part: AnnotationPart | undefined
  typeOnFailure: string | undefined
  /** Whether `time` holds random digits of ours. */
  hasOwnTime: boolean
  /** How long the verdict is waited for; 0 where nobody does. */
  waitMs: number
}

/** @param now what `now` and an absent time stand for @throws InputError */
export function parseMark(raw: RawFlags, job: Job, now: string): MarkInputs {
  const { operation, ...settings } = parseAll<
    Settings & { onOutage: string; onError: string; operation: NewOperation; waitMs: number }
  >({
    ...settingsParsers(raw),
    waitMs: () => parseVerdictWait(raw.waitForVerdict),
    operation: () => parseCreate({ ...raw, id: '' }),
  })
  const { mark, key, typeOnFailure } = operation
  const title = mark.title ?? (job.title && cutText(job.title, TITLE_POINTS_MAX))
  const annotation = buildAnnotation({ ...mark, title }, now, job.url)
  const part = key === undefined ? undefined : readPart(process.env)
  return { ...settings, annotation, key, part, typeOnFailure, hasOwnTime: mark.time === 'now' }
}

function readToken(raw: RawFlags): string {
  return raw.token.trim() !== '' || raw.tokenFile === '' ? raw.token : readTextFile('tokenFile', raw).trim()
}

/** @throws InputError where the file that the flag names cannot be read */
export function readTextFile(flag: 'tokenFile' | 'queriesFile', raw: RawFlags): string {
  try {
    return readFileSync(raw[flag], 'utf8')
  } catch (error) {
    return refuse(flag, ` is ${quote(raw[flag])}, which cannot be read: ${(error as NodeJS.ErrnoException).code}`)
  }
}
