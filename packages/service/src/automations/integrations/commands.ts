/**
 * The `integration` subcommands: create, list, change, remove. They touch files of the data directory only, so they work
 * beside a running service. A secret comes from stdin or is made here; it is never a flag, because flags are seen in `ps`.
 */
import { mkdirSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Command, InvalidArgumentError, Option } from 'commander'
import {
  checkSecret,
  checkSettings,
  DEFAULT_ENVIRONMENTS,
  DEFAULT_TITLE,
  DEFAULT_TYPE,
  INTEGRATIONS_PER_PLATFORM_MAX,
  type Integration,
  MAKES_OWN_SECRET,
  makeSecret,
  newIntegrationId,
  PLATFORMS,
  type PlatformName,
  TITLE_FACTS,
} from './integration.ts'
import { type IntegrationRecord, integrationFilePath, readIntegrations, updateIntegrations } from './integration-file.ts'
import { ensureSealKey, requireSealKey, seal, unseal } from './seal.ts'

interface Options {
  data?: string
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
const ALL = 'all'

/** @param defaultDataDir used where the subcommand has no `--data` of its own */
export function createIntegrationCommand(defaultDataDir: () => string): Command {
  const integration = new Command('integration').description(
    'set up which deployments of hosting platforms are marked; works while the service is running',
  )
  const dirOf = (options: { data?: string }) => options.data ?? defaultDataDir()

  withSettings(integration.command('create'))
    .description('receive the deployment webhooks of a platform; its secret is stored sealed')
    .addOption(new Option('--platform <platform>', 'who reports the deployments').choices(PLATFORMS).makeOptionMandatory())
    .action(async (options: Options, command: Command) => {
      const { platform, name = platform, datasets, environment } = options
      if (!datasets) return command.error('error: give the datasets on whose charts the deployments appear, with --datasets')
      if (MAKES_OWN_SECRET.has(platform) && !options.secretStdin) {
        return command.error(`error: ${platform} makes the secret itself; give it on stdin, with --secret-stdin`)
      }
      const { type = DEFAULT_TYPE, title = DEFAULT_TITLE } = options
      const environments = environment ? readEnvironments(environment) : [...DEFAULT_ENVIRONMENTS[platform]]
      const settings = { name, datasets, type, title, environments }
      checkSettings(settings)
      const made: Integration = { id: newIntegrationId(), platform, ...settings, createdAt: new Date().toISOString() }
      const secret = options.secretStdin ? await readSecret() : makeSecret()
      checkSecret(secret)
      mkdirSync(dirOf(options), { recursive: true, mode: 0o700 })
      await updateIntegrations(dirOf(options), (all) => {
        if (all.filter((one) => one.platform === platform).length >= INTEGRATIONS_PER_PLATFORM_MAX) {
          throw new Error(
            `there are ${INTEGRATIONS_PER_PLATFORM_MAX} integrations of ${platform} already, which is the most there can be`,
          )
        }
        return [...all, sealed(made, secret, all, dirOf(options))]
      })
      console.error(`made integration ${made.id} (${name}) for POST /v1/integrations/${platform}; it marks ${describe(made)}`)
      if (!options.secretStdin) showSecret(secret)
    })

  withData(integration.command('list'))
    .description('list the integrations: id, platform, time of creation, name, datasets, type, title, environments')
    .action((options: Options) => {
      for (const { id, platform, createdAt, name, datasets, type, title, environments } of readIntegrations(dirOf(options))) {
        const where = environments.length === 0 ? ALL : environments.map((environment) => JSON.stringify(environment)).join(',')
        console.log(
          [id, platform, createdAt, JSON.stringify(name), datasets.join(','), type, JSON.stringify(title), where].join('\t'),
        )
      }
    })

  withSettings(integration.command('change'))
    .description('change settings or the secret; what is not given stays as it is')
    .argument('<id>', 'as listed, for example int_0123456789ab')
    .option('--new-secret', 'make another secret and print it')
    .action(async (id: string, options: Options, command: Command) => {
      if (options.secretStdin && options.newSecret) return command.error('error: give either --secret-stdin or --new-secret')
      const secret = options.secretStdin ? await readSecret() : options.newSecret ? makeSecret() : undefined
      if (secret !== undefined) checkSecret(secret)
      const { name, datasets, type, title, environment } = options
      await updateIntegrations(dirOf(options), (all) => {
        const before = findIn(all, id, options)
        if (options.newSecret && MAKES_OWN_SECRET.has(before.platform)) {
          throw new Error(`${before.platform} makes the secret itself; give it on stdin, with --secret-stdin`)
        }
        const after: IntegrationRecord = {
          ...before,
          ...(name !== undefined && { name }),
          ...(datasets && { datasets }),
          ...(type !== undefined && { type }),
          ...(title !== undefined && { title }),
          ...(environment && { environments: readEnvironments(environment) }),
        }
        checkSettings(after)
        const changed = secret === undefined ? after : sealed(after, secret, all, dirOf(options))
        return all.map((one) => (one === before ? changed : one))
      })
      console.error(`changed ${id}`)
      if (secret !== undefined && options.newSecret) showSecret(secret)
    })

  withData(integration.command('remove'))
    .description('refuse its webhooks from now on; the annotations it made stay')
    .argument('<id>', 'as listed, for example int_0123456789ab')
    .action(async (id: string, options: Options) => {
      await updateIntegrations(dirOf(options), (all) => {
        const gone = findIn(all, id, options)
        return all.filter((one) => one !== gone)
      })
      console.error(`removed ${id}`)
    })
  return integration

  function findIn(all: IntegrationRecord[], id: string, options: Options): IntegrationRecord {
    const found = all.find((one) => one.id === id)
    if (!found) throw new Error(`there is no integration ${JSON.stringify(id)} in ${integrationFilePath(dirOf(options))}`)
    return found
  }
}

function withData(command: Command): Command {
  return command.option('--data <directory>', 'data directory of the service (default: ".data")')
}

function withSettings(command: Command): Command {
  return withData(command)
    .option('--name <name>', 'what the list calls it')
    .option('--datasets <names>', 'datasets on whose charts the deployments appear, separated by commas', parseDatasets)
    .option('--type <type>', `type of the annotations (default: "${DEFAULT_TYPE}")`)
    .option(
      '--title <title>',
      `title of the annotations, with ${TITLE_FACTS.map((fact) => `{${fact}}`).join(', ')} (default: "${DEFAULT_TITLE}")`,
    )
    .option(
      '--environment <environment...>',
      `mark deployments to these only, or to "${ALL}" (default: production on vercel and netlify, ${ALL} on github and generic)`,
    )
    .option('--secret-stdin', "read the secret from stdin's first line; without it one is made and printed")
}

/**
 * @param all those there are; each is opened, whatever its platform: with secrets under two keys the service would read none
 * @throws Error when the key is not theirs, and when another integration of the platform has the secret: which of the two a
 *   request is for could not be told
 */
function sealed(integration: Integration, secret: string, all: IntegrationRecord[], dataDir: string): IntegrationRecord {
  const key = all.length === 0 ? ensureSealKey(dataDir) : requireSealKey(dataDir)
  for (const { id, platform, sealedSecret } of all) {
    const has = unseal(sealedSecret, key, id)
    if (has === secret && platform === integration.platform && id !== integration.id) {
      throw new Error(`integration ${id} has this secret already; each one of ${platform} needs a secret of its own`)
    }
  }
  return { ...integration, sealedSecret: seal(secret, key, integration.id) }
}

async function readSecret(): Promise<string> {
  if (process.stdin.isTTY) console.error('paste the secret, then press Enter:')
  for await (const line of createInterface({ input: process.stdin })) return line.trim()
  throw new Error('stdin ended before there was a secret')
}

function showSecret(secret: string): void {
  console.error('its secret is shown only this once; give it to the platform:')
  console.log(secret)
}

function describe({ datasets, environments }: Integration): string {
  const where = environments.length === 0 ? 'deployments to any environment' : `deployments to ${environments.join(', ')}`
  return `${where} on ${datasets.join(', ')}`
}

function readEnvironments(names: string[]): string[] {
  return names.includes(ALL) ? [] : [...new Set(names)]
}

function parseDatasets(text: string, before: string[] = []): string[] {
  const names = text.split(',').map((name) => name.trim())
  if (names.includes('')) throw new InvalidArgumentError('It must be names separated by commas.')
  return [...new Set([...before, ...names])]
}
