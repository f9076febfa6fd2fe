/**
 * The `integration` subcommands: create, list, change, remove. They open the records themselves, so they work beside a running
 * service. Deliberately not here: what their flags are; see command-options.ts.
 */
import { MAKES_OWN_SECRET, PLATFORMS } from '@deployment-annotations/contract/integration'
import type { Caller } from '@deployment-annotations/runtime/caller'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import { Command, Option } from 'commander'
import { describePlace, hasRecords, type RecordsFlags, useRecords, withRecordsFlags } from '../../storage-flags.ts'
import { ALL, type IntegrationOptions, readEnvironments, readSecret, withSettings } from './command-options.ts'
import { checkSecret, checkSettings, type Integration, type IntegrationSettings } from './integration.ts'
import { Integrations } from './integrations.ts'

type Options = IntegrationOptions & RecordsFlags

const ID_HELP = 'as listed, for example int_0123456789ab'

/** @param defaults used where the subcommand has no flags of its own */
export function createIntegrationCommand(defaults: () => RecordsFlags): Command {
  const integration = new Command('integration').description(
    'choose which deployments of hosting platforms are marked; works while the service is running',
  )

  withSettings(integration.command('create'))
    .description('receive the deployment webhooks of a platform; its secret is stored encrypted')
    .addOption(new Option('--platform <platform>', 'who reports the deployments').choices(PLATFORMS).makeOptionMandatory())
    .action((options: IntegrationOptions, command: Command) => create({ ...defaults(), ...options }, command))

  withRecordsFlags(integration.command('list'))
    .description('list the integrations: id, platform, time of creation, name, datasets, type, title, environments')
    .action((options: IntegrationOptions) => list({ ...defaults(), ...options }))

  withSettings(integration.command('change'))
    .description('change settings or the secret; what is not given stays as it is')
    .argument('<id>', ID_HELP)
    .option('--new-secret', 'generate a new secret and print it')
    .action((id: string, options: IntegrationOptions, command: Command) => {
      if (options.secretStdin && options.newSecret) return command.error('error: give either --secret-stdin or --new-secret')
      return change(id, { ...defaults(), ...options })
    })

  withRecordsFlags(integration.command('remove'))
    .description('refuse its webhooks from now on; the annotations it made stay')
    .argument('<id>', ID_HELP)
    .action((id: string, options: IntegrationOptions) => remove(id, { ...defaults(), ...options }))
  return integration
}

/** Whoever may read the records may do everything with them. */
const OPERATOR: Caller = { id: 'operator', sinceMs: 0, limit: undefined, may: () => true, require: () => undefined }

function useIntegrations<T>(place: RecordsFlags, use: (integrations: Integrations) => Promise<T>): Promise<T> {
  return useRecords(place, (records) => use(new Integrations({ records, dataDir: place.data, clock: Date.now })))
}

async function create(options: Options, command: Command): Promise<void> {
  const { platform, datasets } = options
  if (!datasets) return command.error('error: give the datasets on whose charts the deployments appear, with --datasets')
  if (MAKES_OWN_SECRET.has(platform) && !options.secretStdin) {
    return command.error(`error: ${platform} makes the secret itself; give it on stdin, with --secret-stdin`)
  }
  const given = options.secretStdin ? { secret: await readSecret() } : {}
  const sent = { platform, ...settingsOf(options), datasets, ...given }
  const { integration, secret } = await useIntegrations(options, (all) => all.create(sent, OPERATOR))
  const { id, name } = integration
  console.error(`created integration ${id} (${name}) for POST /v1/integrations/${platform}; it marks ${describe(integration)}`)
  if (secret !== undefined) showSecret(secret)
}

async function list(place: RecordsFlags): Promise<void> {
  if (!hasRecords(place)) return
  const all = await useIntegrations(place, (integrations) => integrations.list(OPERATOR))
  for (const { integration } of all) {
    const { id, platform, createdAt, name, datasets, type, title, environments } = integration
    const where = environments.length === 0 ? ALL : environments.map((environment) => JSON.stringify(environment)).join(',')
    console.log(
      [id, platform, createdAt, JSON.stringify(name), datasets.join(','), type, JSON.stringify(title), where].join('\t'),
    )
  }
}

async function change(id: string, options: Options): Promise<void> {
  if (!hasRecords(options)) throw notThere(id, options)
  const given = options.secretStdin ? await readSecret() : undefined
  const settings = settingsOf(options)
  const secret = await useIntegrations(options, async (all) => {
    const before = await all.get(id, OPERATOR)
    if (options.newSecret && MAKES_OWN_SECRET.has(before.platform)) {
      throw new Error(`${before.platform} makes the secret itself; give it on stdin, with --secret-stdin`)
    }
    // All that can be wrong is found before anything is changed.
    checkSettings({ ...before, ...settings })
    if (given !== undefined) checkSecret(given)
    const made = given !== undefined || options.newSecret ? await all.regenerate(id, given, OPERATOR) : undefined
    await all.change(id, settings, OPERATOR)
    return made?.secret
  }).catch(named(id, options))
  console.error(`changed ${id}`)
  if (secret !== undefined) showSecret(secret)
}

/** What is not given stays as it is, or is as by default. */
function settingsOf({ name, datasets, type, title, environment }: Options): Partial<IntegrationSettings> {
  return {
    ...(name !== undefined && { name }),
    ...(datasets && { datasets }),
    ...(type !== undefined && { type }),
    ...(title !== undefined && { title }),
    ...(environment && { environments: readEnvironments(environment) }),
  }
}

async function remove(id: string, place: RecordsFlags): Promise<void> {
  if (!hasRecords(place)) throw notThere(id, place)
  await useIntegrations(place, (all) => all.remove(id, OPERATOR)).catch(named(id, place))
  console.error(`removed ${id}`)
}

/** @returns what rejects with the place that an integration was looked for in */
function named(id: string, place: RecordsFlags): (error: unknown) => never {
  return (error) => {
    throw error instanceof ServiceError && error.code === 'not_found' ? notThere(id, place) : error
  }
}

function notThere(id: string, place: RecordsFlags): Error {
  return new Error(`there is no integration ${JSON.stringify(id)} in ${describePlace(place)}`)
}

function showSecret(secret: string): void {
  console.error('its secret is shown only this once; give it to the platform:')
  console.log(secret)
}

function describe({ datasets, environments }: Integration): string {
  const where = environments.length === 0 ? 'deployments to any environment' : `deployments to ${environments.join(', ')}`
  return `${where} on ${datasets.join(', ')}`
}
