/**
 * What the `integration` subcommands are given: their flags, and a secret on stdin. A secret is never a flag, because flags are
 * seen in `ps`.
 */
import { createInterface } from 'node:readline'
import {
  INTEGRATION_TITLE_DEFAULT,
  INTEGRATION_TYPE_DEFAULT,
  type PlatformName,
  TITLE_FACTS,
} from '@deployment-annotations/contract/integration'
import { type Command, InvalidArgumentError } from 'commander'
import { type RecordsFlags, withRecordsFlags } from '../../storage-flags.ts'

export interface IntegrationOptions extends Partial<RecordsFlags> {
  platform: PlatformName
  name?: string
  datasets?: string[]
  type?: string
  title?: string
  environment?: string[]
  secretStdin?: boolean
  newSecret?: boolean
}

/** Stands for every environment. */
export const ALL = 'all'

export function withSettings(command: Command): Command {
  return withRecordsFlags(command)
    .option('--name <name>', 'its name in lists')
    .option('--datasets <names>', 'datasets on whose charts the deployments appear, separated by commas', parseDatasets)
    .option('--type <type>', `type of the annotations (default: "${INTEGRATION_TYPE_DEFAULT}")`)
    .option(
      '--title <title>',
      `title of the annotations, with ${TITLE_FACTS.map((fact) => `{${fact}}`).join(', ')} (default: "${INTEGRATION_TITLE_DEFAULT}")`,
    )
    .option(
      '--environment <environment...>',
      `mark deployments to these only, or to "${ALL}" (default: production on vercel and netlify, ${ALL} on github and generic)`,
    )
    .option('--secret-stdin', 'read the secret from the first line of stdin; without this flag one is generated and printed')
}

function parseDatasets(text: string, before: string[] = []): string[] {
  const names = text.split(',').map((name) => name.trim())
  if (names.includes('')) throw new InvalidArgumentError('It must be names separated by commas.')
  return [...new Set([...before, ...names])]
}

export function readEnvironments(names: string[]): string[] {
  return names.includes(ALL) ? [] : [...new Set(names)]
}

export async function readSecret(): Promise<string> {
  if (process.stdin.isTTY) console.error('paste the secret, then press Enter:')
  for await (const line of createInterface({ input: process.stdin })) return line.trim()
  throw new Error('stdin ended before a secret was given')
}
