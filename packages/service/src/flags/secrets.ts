/**
 * Secrets on their way into the process: from files that variables name, as containers mount them, and not left in its command line.
 */
import { readFileSync } from 'node:fs'

/** Each may also be given as the path of a file that has it, in a variable of this name with `_FILE` at its end. */
const SECRET_VARIABLES = [
  'ANNOTATION_SERVICE_TOKEN',
  'ANNOTATION_SERVICE_POSTGRES',
  'ANNOTATION_SERVICE_CLICKHOUSE',
  'ANNOTATION_SERVICE_ENCRYPTION_KEY',
  'ANNOTATION_SERVICE_SMTP_PASSWORD',
] as const

/** Sets each variable whose file is named and that is not set itself. Ends the process where a file cannot be read. */
export function readSecretFiles(env: NodeJS.ProcessEnv): void {
  for (const name of SECRET_VARIABLES) {
    const path = env[`${name}_FILE`]
    if (!path || env[name]) continue
    try {
      env[name] = readFileSync(path, 'utf8').trim()
    } catch (error) {
      console.error(`error: ${name}_FILE cannot be read: ${(error as Error).message}`)
      process.exit(1)
    }
  }
}

/** Flags whose value is a secret, or a URL that may have one. */
const SECRET_FLAGS = /^--(?:token|postgres|clickhouse)$/

/** @returns the command with what its flags keep secret left out */
export function withoutSecrets(flags: readonly string[]): string {
  const shown = flags.map((flag, index) =>
    SECRET_FLAGS.test(flags[index - 1] ?? '') ? '…' : flag.replace(/^(--(?:token|postgres|clickhouse))=.*/s, '$1=…'),
  )
  return ['annotation-service', ...shown].join(' ')
}
