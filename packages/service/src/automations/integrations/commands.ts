/**
 * The `integration` subcommands: create, list, change, remove. They touch files of the data directory only, so they work
 * beside a running service. Deliberately not here: what their flags are; see command-options.ts.
 */
import { mkdirSync } from 'node:fs'
import { Command, Option } from 'commander'
import { ALL, type IntegrationOptions, readEnvironments, readSecret, withData, withSettings } from './command-options.ts'
import { decrypt, encrypt, ensureEncryptionKey, requireEncryptionKey } from './encryption.ts'
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
} from './integration.ts'
import { type IntegrationRecord, integrationFilePath, readIntegrations, updateIntegrations } from './integration-file.ts'

const ID_HELP = 'as listed, for example int_0123456789ab'

/** @param defaultDataDir used where the subcommand has no `--data` of its own */
export function createIntegrationCommand(defaultDataDir: () => string): Command {
  const integration = new Command('integration').description(
    'choose which deployments of hosting platforms are marked; works while the service is running',
  )
  const dirOf = ({ data }: IntegrationOptions) => data ?? defaultDataDir()

  withSettings(integration.command('create'))
    .description('receive the deployment webhooks of a platform; its secret is stored encrypted')
    .addOption(new Option('--platform <platform>', 'who reports the deployments').choices(PLATFORMS).makeOptionMandatory())
    .action((options: IntegrationOptions, command: Command) => create(dirOf(options), options, command))

  withData(integration.command('list'))
    .description('list the integrations: id, platform, time of creation, name, datasets, type, title, environments')
    .action((options: IntegrationOptions) => list(dirOf(options)))

  withSettings(integration.command('change'))
    .description('change settings or the secret; what is not given stays as it is')
    .argument('<id>', ID_HELP)
    .option('--new-secret', 'generate a new secret and print it')
    .action((id: string, options: IntegrationOptions, command: Command) => {
      if (options.secretStdin && options.newSecret) return command.error('error: give either --secret-stdin or --new-secret')
      return change(dirOf(options), id, options)
    })

  withData(integration.command('remove'))
    .description('refuse its webhooks from now on; the annotations it made stay')
    .argument('<id>', ID_HELP)
    .action((id: string, options: IntegrationOptions) => remove(dirOf(options), id))
  return integration
}

async function create(dataDir: string, options: IntegrationOptions, command: Command): Promise<void> {
  const { platform, name = platform, datasets, type = DEFAULT_TYPE, title = DEFAULT_TITLE, environment } = options
  if (!datasets) return command.error('error: give the datasets on whose charts the deployments appear, with --datasets')
  if (MAKES_OWN_SECRET.has(platform) && !options.secretStdin) {
    return command.error(`error: ${platform} makes the secret itself; give it on stdin, with --secret-stdin`)
  }
  const environments = environment ? readEnvironments(environment) : [...DEFAULT_ENVIRONMENTS[platform]]
  const settings = { name, datasets, type, title, environments }
  checkSettings(settings)
  const made: Integration = { id: newIntegrationId(), platform, ...settings, createdAt: new Date().toISOString() }
  const secret = options.secretStdin ? await readSecret() : makeSecret()
  checkSecret(secret)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  await updateIntegrations(dataDir, (all) => {
    if (all.filter((one) => one.platform === platform).length >= INTEGRATIONS_PER_PLATFORM_MAX) {
      throw new Error(
        `there are ${INTEGRATIONS_PER_PLATFORM_MAX} integrations of ${platform} already, the most there can be; remove one`,
      )
    }
    return [...all, withSecret(made, secret, all, dataDir)]
  })
  console.error(`created integration ${made.id} (${name}) for POST /v1/integrations/${platform}; it marks ${describe(made)}`)
  if (!options.secretStdin) showSecret(secret)
}

function list(dataDir: string): void {
  for (const { id, platform, createdAt, name, datasets, type, title, environments } of readIntegrations(dataDir)) {
    const where = environments.length === 0 ? ALL : environments.map((environment) => JSON.stringify(environment)).join(',')
    console.log(
      [id, platform, createdAt, JSON.stringify(name), datasets.join(','), type, JSON.stringify(title), where].join('\t'),
    )
  }
}

async function change(dataDir: string, id: string, options: IntegrationOptions): Promise<void> {
  const secret = options.secretStdin ? await readSecret() : options.newSecret ? makeSecret() : undefined
  if (secret !== undefined) checkSecret(secret)
  const { name, datasets, type, title, environment } = options
  await updateIntegrations(dataDir, (all) => {
    const before = findIn(all, id, dataDir)
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
    const changed = secret === undefined ? after : withSecret(after, secret, all, dataDir)
    return all.map((one) => (one === before ? changed : one))
  })
  console.error(`changed ${id}`)
  if (secret !== undefined && options.newSecret) showSecret(secret)
}

async function remove(dataDir: string, id: string): Promise<void> {
  await updateIntegrations(dataDir, (all) => {
    const gone = findIn(all, id, dataDir)
    return all.filter((one) => one !== gone)
  })
  console.error(`removed ${id}`)
}

function findIn(all: IntegrationRecord[], id: string, dataDir: string): IntegrationRecord {
  const found = all.find((one) => one.id === id)
  if (!found) throw new Error(`there is no integration ${JSON.stringify(id)} in ${integrationFilePath(dataDir)}`)
  return found
}

/**
 * @param all those there are; each is decrypted, whatever its platform: with secrets under two keys the service would read none
 * @throws Error when the key is not theirs, and when another integration of the platform has the secret: which of the two a
 *   request is for could not be told
 */
function withSecret(integration: Integration, secret: string, all: IntegrationRecord[], dataDir: string): IntegrationRecord {
  const key = all.length === 0 ? ensureEncryptionKey(dataDir) : requireEncryptionKey(dataDir)
  for (const { id, platform, encryptedSecret } of all) {
    const has = decrypt(encryptedSecret, key, id)
    if (has === secret && platform === integration.platform && id !== integration.id) {
      throw new Error(`integration ${id} has this secret already; each integration of ${platform} needs its own`)
    }
  }
  return { ...integration, encryptedSecret: encrypt(secret, key, integration.id) }
}

function showSecret(secret: string): void {
  console.error('its secret is shown only this once; give it to the platform:')
  console.log(secret)
}

function describe({ datasets, environments }: Integration): string {
  const where = environments.length === 0 ? 'deployments to any environment' : `deployments to ${environments.join(', ')}`
  return `${where} on ${datasets.join(', ')}`
}
