/**
 * Flags and variables of earlier versions, which every command refuses: one that is not read would leave the records, for example, in
 * another place than is wanted.
 */

const renamed = (present: string) => (spell: (name: string) => string) => `is called ${spell(present)} now; rename it`

/** What is said of each, by its name without what a flag and a variable have around it. */
const REMOVED = {
  records: renamed('postgres'),
  'seal-key': renamed('encryption-key'),
  'freshness-ms': renamed('cache-ms'),
  'judge-types': renamed('release-types'),
  'geo-database': () => 'is not there any more: send the place with each event, as geo.country',
}

const toFlag = (name: string) => `--${name}`
const toVariable = (name: string) => `ANNOTATION_SERVICE_${name.replaceAll('-', '_').toUpperCase()}`
const SPELLINGS = [toFlag, toVariable, (name: string) => `${toVariable(name)}_FILE`]

/** Ends the process where one is given; its text may be a secret and is not shown. */
export function refuseRemoved(args: readonly string[], env: NodeJS.ProcessEnv): void {
  const flags = args.map((arg) => arg.split('=')[0])
  const problems = Object.entries(REMOVED).flatMap(([name, explain]) =>
    SPELLINGS.filter((spell) => flags.includes(spell(name)) || env[spell(name)]).map(
      (spell) => `${spell(name)} ${explain(spell)}`,
    ),
  )
  for (const problem of problems) console.error(`error: ${problem}`)
  if (problems.length > 0) process.exit(1)
}
