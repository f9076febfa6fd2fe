/**
 * The flags of `annotate`: names, meanings, defaults. Each can be given as a variable too: `--end-time` as `ANNOTATE_END_TIME`. The
 * names are those of the step's inputs. Deliberately not here: the rules, which are in packages/inputs.
 */
import { DEFAULT_BASE_URL } from '@deployment-annotations/client/connection'
import { COMPARISON_DEFAULTS, COMPARISON_FORMER_NAMES } from '@deployment-annotations/inputs/comparison'
import { Command, Option } from 'commander'

interface Flag {
  /** The placeholder of the value in the help; a flag without one is a switch. */
  value?: string
  meaning: string
  default?: string
}

const FLAGS = {
  datasets: { value: 'names', meaning: 'datasets on whose charts the annotation appears, separated by commas, at most 100' },
  type: { value: 'type', meaning: 'what kind of event this is, such as production-deploy' },
  time: {
    value: 'time',
    meaning:
      'time of the event or start of the span: ISO 8601, now, Unix epoch, as git and date print; now-20m for changes (default: now)',
  },
  endTime: { value: 'time', meaning: 'the end of the span, in the same forms' },
  title: { value: 'text', meaning: 'short summary (default in CI: repository@tag, or repository@commit and branch)' },
  description: { value: 'text', meaning: 'what happened, in Markdown' },
  url: { value: 'url', meaning: 'link to more about it (default in CI: the job)' },
  key: { value: 'text', meaning: 'calls with the same key share one annotation: the first creates it, others change it' },
  typeOnFailure: { value: 'type', meaning: 'type to set if the command failed' },
  result: { value: 'word|code', meaning: 'the result: a word of any CI, or an exit code (default: what the CI says)' },
  state: { value: 'file', meaning: 'stores what close needs before the request is sent, which survives a kill' },
  start: { value: 'time', meaning: 'start of the searched time: a time, or now-1h, now-7d', default: 'now-7d' },
  end: { value: 'time', meaning: 'end of the searched time (default: no end)' },
  monitor: { value: 'id', meaning: 'the monitor whose last alert is used instead of a time' },
  wait: { value: 'length', meaning: 'how long to wait for the verdict, at most 6h (default of compare and verdict: 15m)' },
  summaryFile: { value: 'file', meaning: 'file to add the verdict to as Markdown, such as "$GITHUB_STEP_SUMMARY"' },
  queries: { value: 'text', meaning: 'what to compare: a line "name: query" each, one to ten' },
  queriesFile: { value: 'file', meaning: 'a file with such lines' },
  source: {
    value: 'url',
    meaning: 'address of Prometheus, or loki+… or clickhouse+…, to compare its data instead of events',
  },
  sourceToken: { value: 'token', meaning: 'its token, or user:password; better as a variable' },
  sourceTenant: { value: 'name', meaning: 'the tenant: X-Scope-OrgID of Mimir and Loki' },
  service: { value: 'name', meaning: 'with --source: the value of the label that names what was deployed' },
  after: { value: 'length', meaning: 'length of the compared time after the event', default: COMPARISON_DEFAULTS.after },
  before: { value: 'length', meaning: 'length of the time before it (default: six times --after)' },
  baseline: { value: 'query', meaning: 'a baseline that runs at the same time: the part of the query before "summarize"' },
  seasons: { value: 'lengths', meaning: 'how long ago the same time of day is compared too: 1d,7d by default, or none' },
  direction: { value: 'words', meaning: 'higher-is-worse or lower-is-worse' },
  minChange: { value: 'percent', meaning: 'smaller changes count as no change', default: COMPARISON_DEFAULTS.minChange },
  confidence: { value: 'percent', meaning: 'how certain a verdict must be', default: COMPARISON_DEFAULTS.confidence },
  failOn: { value: 'verdicts', meaning: 'verdicts that end the command with 1, such as worse' },
  token: { value: 'token', meaning: 'token of the service; as a flag it shows in the process list: better a variable or a file' },
  tokenFile: { value: 'file', meaning: 'a file that holds the token' },
  baseUrl: { value: 'url', meaning: 'address of the service', default: DEFAULT_BASE_URL },
  allowHttp: { meaning: 'allow http: to another machine, where the token crosses the network unencrypted' },
  timeoutSeconds: { value: 'number', meaning: 'total time of a request, retries included', default: '30' },
  onOutage: { value: 'warn|fail', meaning: 'whether an outage of the service fails the command', default: 'warn' },
  onError: {
    value: 'fail|warn',
    meaning: 'whether any other failure, such as a wrong flag, fails the command',
    default: 'fail',
  },
  dryRun: { meaning: 'check, print what would be sent, send nothing; needs no token' },
  json: { meaning: 'print JSON' },
} as const satisfies Record<string, Flag>

type FlagName = keyof typeof FLAGS

/** What flags were called before. */
export const FORMER_NAMES = { ...COMPARISON_FORMER_NAMES, time: 'at', wait: 'waitForVerdict' } as const

type FormerName = (typeof FORMER_NAMES)[keyof typeof FORMER_NAMES]

export const MARK_FLAGS: readonly FlagName[] = ['datasets', 'type', 'time', 'endTime', 'title', 'description', 'url']
export const SERVICE_FLAGS: readonly FlagName[] = ['token', 'tokenFile', 'baseUrl', 'allowHttp', 'timeoutSeconds']
/** The flags of the commands that create or change an annotation. */
export const WRITE_FLAGS: readonly FlagName[] = [...SERVICE_FLAGS, 'onOutage', 'onError', 'dryRun', 'json']

export const toFlag = (input: string) => `--${input.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

const toVariable = (name: FlagName | FormerName) => `ANNOTATE${toFlag(name).slice(1).replaceAll('-', '_').toUpperCase()}`

/** @returns a subcommand with these flags, without an action */
export function createCommand(name: string, summary: string, flags: readonly FlagName[]): Command {
  const command = new Command(name).description(summary)
  for (const flag of flags) {
    const { value, meaning, default: preset }: Flag = FLAGS[flag]
    const defaultNote = preset === undefined ? '' : ` (default: ${preset})`
    command.addOption(new Option(toFlag(flag) + (value === undefined ? '' : ` <${value}>`), meaning + defaultNote))
    const former = (FORMER_NAMES as Partial<Record<FlagName, FormerName>>)[flag]
    if (former) command.addOption(new Option(`${toFlag(former)} <${value}>`).env(toVariable(former)).hideHelp())
  }
  return command
}

/**
 * The text of every flag: as given, from its variable, or the default; otherwise ''. What was given by a former name is
 * under that.
 */
export type RawFlags = Record<FlagName | FormerName, string>

/**
 * @param given the flags from commander
 * @param asFlagsOnly flags whose variables are ignored
 */
export function readFlags(
  given: Partial<Record<FlagName | FormerName, string | true>>,
  env: NodeJS.ProcessEnv,
  asFlagsOnly: readonly FlagName[] = [],
): RawFlags {
  const names = Object.keys(FLAGS) as FlagName[]
  const texts = names.map((name) => {
    const { value, default: preset }: Flag = FLAGS[name]
    const variable = asFlagsOnly.includes(name) ? '' : env[toVariable(name)]
    const text = given[name] ?? (variable || (preset ?? (value === undefined ? 'false' : '')))
    return [name, String(text)]
  })
  const former = Object.values(FORMER_NAMES).map((name) => [name, String(given[name] ?? '')])
  return Object.fromEntries([...texts, ...former]) as RawFlags
}
