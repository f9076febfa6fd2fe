/** Checks the flags by the rules of packages/inputs, with messages that name flags. All problems are reported at once. */
import { readFileSync } from 'node:fs'
import { markNow } from '@deployment-annotations/client/identity'
import { TITLE_POINTS_MAX } from '@deployment-annotations/contract/annotation'
import { cutText } from '@deployment-annotations/contract/text'
import { buildAnnotation } from '@deployment-annotations/inputs/annotation'
import type { CreateIntent } from '@deployment-annotations/inputs/close'
import { correct } from '@deployment-annotations/inputs/corrections'
import type { Door } from '@deployment-annotations/inputs/door'
import { refuseFormerNames } from '@deployment-annotations/inputs/former-names'
import { parseAll, refuse } from '@deployment-annotations/inputs/input-error'
import { parseWait } from '@deployment-annotations/inputs/input-length'
import { parseBoolean, parseChoice } from '@deployment-annotations/inputs/input-values'
import { type NewOperation, parseCreate } from '@deployment-annotations/inputs/mark'
import { parseCorrected, type RawTexts } from '@deployment-annotations/inputs/parse-corrected'
import { readAnnotationJob } from '@deployment-annotations/inputs/save'
import { parseService, type ServiceInputs } from '@deployment-annotations/inputs/service'
import { isValueless, quote, toLog } from '@deployment-annotations/inputs/text'
import { readJob } from './ci/job.ts'
import { FORMER_NAMES, type RawFlags, readFlags, toFlag } from './flags.ts'
import { log, warn } from './output.ts'

const nameOf = (input: string) => (input === 'id' ? 'ID' : toFlag(input))

/** How messages of the command name an input. */
export const COMMAND: Door = { subject: nameOf, mention: nameOf, program: 'command' }

const NO_TOKEN = 'set ANNOTATE_TOKEN to a masked variable of your CI, or give --token-file'

/**
 * @returns the parsed flags. A correction is a warning on stderr.
 * @throws InputError.
 * @throws NothingToDo
 */
export async function parseFlags<R extends RawFlags, T>(raw: R, parse: (raw: R) => T): Promise<T> {
  refuseFormerNames(FORMER_NAMES, (name) => raw[name as keyof RawFlags], COMMAND)
  const defaults: Partial<RawTexts> = readFlags({}, {})
  const { inputs, warnings, notices } = await parseCorrected({ raw, defaults, parse, load: async () => ({ correct }) })
  for (const { input, rest } of notices) log(toLog(COMMAND.subject(input) + rest))
  for (const { input, rest } of warnings) warn(toLog(COMMAND.subject(input) + rest))
  return inputs
}

/** @returns the argument ID; '' for an empty one or `null`, which is what a shell passes on if `mark` printed no ID */
export function readId(given: string): string {
  return isValueless(given) ? '' : given
}

interface Settings {
  service: ServiceInputs
  dryRun: boolean
  json: boolean
  onOutage: 'warn' | 'fail'
  onError: 'warn' | 'fail'
}

/** @returns the parsers of the flags that every subcommand has, for `parseAll` */
function settingsParsers(raw: RawFlags, isWithToken = raw.dryRun !== 'true'): { [K in keyof Settings]: () => Settings[K] } {
  return {
    service: () => {
      const token = raw.dryRun === 'true' ? '' : readToken(raw)
      return parseService({ ...raw, token }, NO_TOKEN, isWithToken)
    },
    dryRun: () => parseBoolean('dryRun', raw.dryRun),
    json: () => parseBoolean('json', raw.json),
    onOutage: () => parseChoice('onOutage', raw.onOutage, ['warn', 'fail']),
    onError: () => parseChoice('onError', raw.onError, ['fail', 'warn']),
  }
}

/**
 * @returns the flags that every subcommand has, and those that `readOthers` reads.
 * @throws InputError.
 * @throws NothingToDo
 */
export function parseSettings<R extends RawFlags, T extends object>(
  raw: R,
  readOthers: (flags: R) => { [K in keyof T]: () => T[K] },
  isWithToken?: boolean,
): Promise<Settings & T> {
  return parseFlags(raw, (flags) => {
    const settings = settingsParsers(flags, isWithToken)
    return parseAll({ ...settings, ...readOthers(flags) }) as Settings & T
  })
}

export interface MarkInputs extends Settings {
  intent: CreateIntent
  /** How long to wait for the verdict, in milliseconds; 0: do not wait. */
  waitMs: number
}

/**
 * @param isSpan whether `close` ends it later
 * @throws InputError
 */
export function parseMark(raw: RawFlags, isSpan = false): MarkInputs {
  const { operation, ...settings } = parseAll<Settings & { operation: NewOperation; waitMs: number }>({
    ...settingsParsers(raw),
    waitMs: () => parseWait(raw.wait),
    operation: () => parseCreate({ ...raw, id: '' }),
  })
  const { mark, key, typeOnFailure } = operation
  const job = readJob(process.env)
  const title = mark.title ?? (job.title && cutText(job.title, TITLE_POINTS_MAX))
  const annotation = buildAnnotation({ ...mark, title }, markNow(), job.url)
  const shared = key === undefined ? undefined : readAnnotationJob(process.env)
  return { ...settings, intent: { annotation, key, job: shared, typeOnFailure, isSpan, hasOwnTime: mark.time === 'now' } }
}

function readToken(raw: RawFlags): string {
  return raw.token.trim() !== '' || raw.tokenFile === '' ? raw.token : readTextFile('tokenFile', raw).trim()
}

/** @throws InputError if the file that the flag names cannot be read */
export function readTextFile(flag: 'tokenFile' | 'queriesFile', raw: RawFlags): string {
  try {
    return readFileSync(raw[flag], 'utf8')
  } catch (error) {
    return refuse(flag, ` is ${quote(raw[flag])}, which cannot be read: ${(error as NodeJS.ErrnoException).code}`)
  }
}
