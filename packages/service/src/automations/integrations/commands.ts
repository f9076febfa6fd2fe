/**
 * The `integration` subcommands: create, list, change, remove. They open the records themselves, so they work beside a running
 * service. Deliberately not here: what their flags are; see command-options.ts.
 */
import { Command, Option } from 'commander'
import {
  deleteIntegration,
  type IntegrationRecord,
  insertIntegration,
  listIntegrations,
  lockIntegrations,
  updateIntegration,
} from '../../records/integration-records.ts'
import { describePlace, hasRecords, type RecordsFlags, useRecords, withRecordsFlags } from '../../records-flags.ts'
import { ALL, type IntegrationOptions, readEnvironments, readSecret, withSettings } from './command-options.ts'
import {
  checkSecret,
  checkSettings,
  DEFAULT_ENVIRONMENTS,
  DEFAULT_TITLE,
  DEFAULT_TYPE,
  INTEGRATIONS_PER_PLATFORM_MAX,
  type Integration,
  isPlatform,
  MAKES_OWN_SECRET,
  makeSecret,
  newIntegrationId,
  PLATFORMS,
} from './integration.ts'
import { findKey, withSecret } from './stored-secret.ts'

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

async function create(options: Options, command: Command): Promise<void> {
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
  await useRecords(options, async (records) => {
    const key = await findKey(records, options.data)
    await records.transaction(async (db) => {
      const all = await lockIntegrations(db)
      if (all.filter((one) => one.platform === platform).length >= INTEGRATIONS_PER_PLATFORM_MAX) {
        throw new Error(
          `there are ${INTEGRATIONS_PER_PLATFORM_MAX} integrations of ${platform} already, the most there can be; remove one`,
        )
      }
      await insertIntegration(db, withSecret(made, secret, all, key))
    })
  })
  console.error(`created integration ${made.id} (${name}) for POST /v1/integrations/${platform}; it marks ${describe(made)}`)
  if (!options.secretStdin) showSecret(secret)
}

async function list(place: RecordsFlags): Promise<void> {
  if (!hasRecords(place)) return
  const all = await useRecords(place, ({ read }) => listIntegrations(read))
  for (const { id, platform, createdAt, name, datasets, type, title, environments } of all) {
    const where = environments.length === 0 ? ALL : environments.map((environment) => JSON.stringify(environment)).join(',')
    console.log(
      [id, platform, createdAt, JSON.stringify(name), datasets.join(','), type, JSON.stringify(title), where].join('\t'),
    )
  }
}

async function change(id: string, options: Options): Promise<void> {
  if (!hasRecords(options)) throw notThere(id, options)
  const secret = options.secretStdin ? await readSecret() : options.newSecret ? makeSecret() : undefined
  if (secret !== undefined) checkSecret(secret)
  await useRecords(options, async (records) => {
    const key = secret === undefined ? undefined : await findKey(records, options.data)
    await records.transaction(async (db) => {
      const all = await lockIntegrations(db)
      const before = all.find((one) => one.id === id)
      if (!before) throw notThere(id, options)
      if (options.newSecret && isPlatform(before.platform) && MAKES_OWN_SECRET.has(before.platform)) {
        throw new Error(`${before.platform} makes the secret itself; give it on stdin, with --secret-stdin`)
      }
      const after = applySettings(before, options)
      await updateIntegration(db, secret === undefined || !key ? after : withSecret(after, secret, all, key))
    })
  })
  console.error(`changed ${id}`)
  if (secret !== undefined && options.newSecret) showSecret(secret)
}

/** What is not given stays as it is. @throws as {@link checkSettings} */
function applySettings(before: IntegrationRecord, options: IntegrationOptions): IntegrationRecord {
  const { name = before.name, datasets = before.datasets, type = before.type, title = before.title, environment } = options
  const environments = environment ? readEnvironments(environment) : before.environments
  const after = { ...before, name, datasets, type, title, environments }
  checkSettings(after)
  return after
}

async function remove(id: string, place: RecordsFlags): Promise<void> {
  if (!hasRecords(place)) throw notThere(id, place)
  await useRecords(place, (records) =>
    records.transaction(async (db) => {
      if (!(await lockIntegrations(db)).some((one) => one.id === id)) throw notThere(id, place)
      await deleteIntegration(db, id)
    }),
  )
  console.error(`removed ${id}`)
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
