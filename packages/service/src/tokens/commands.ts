/**
 * The `token` subcommands: create, list, revoke. They open the records themselves, so they work beside a running service.
 */

import { DATASET_NAME_PATTERN } from '@deployment-annotations/contract/dataset-name'
import { parseDuration } from '@deployment-annotations/contract/duration'
import { capabilitiesOf, PERMISSIONS, type Permission } from '@deployment-annotations/contract/permission'
import { parseTimestamp } from '@deployment-annotations/contract/timestamp'
import type { RecordsDatabase } from '@deployment-annotations/records/database/records'
import { raiseVersion } from '@deployment-annotations/records/database/versions'
import { deleteToken, insertToken, isPermission, listTokens } from '@deployment-annotations/records/tokens/token-records'
import { Command, InvalidArgumentError } from 'commander'
import { describePlace, type RecordsFlags, useMadeRecords, withRecordsFlags } from '../flags/storage-flags.ts'
import { limitOf, makeToken, permissionsOf } from './token.ts'

interface CreateOptions extends Partial<RecordsFlags> {
  name: string
  permission?: Permission[]
  dataset?: string[]
  expires?: number
  personal?: boolean
}

/** @param defaults used where the subcommand has no flags of its own */
export function createTokenCommand(defaults: () => RecordsFlags): Command {
  const token = new Command('token').description('create, list and revoke tokens; works while the service is running')

  withRecordsFlags(token.command('create'))
    .description('create a token and print it; only its hash is stored')
    .option('--name <name>', 'its name in the log and in lists', 'unnamed')
    .option('--permission <permission...>', `what it may do: ${PERMISSIONS.join(', ')}`, collectPermissions)
    .option('--dataset <dataset...>', 'the only datasets that it may access; all by default', collectDatasets)
    .option(
      '--expires <when>',
      'from then on it is refused: a duration such as 90d, or a time such as 2027-01-31T00:00:00Z',
      readExpires,
    )
    .option('--personal', 'create a personal token, which may do everything')
    .action((options: CreateOptions, command: Command) => create({ ...defaults(), ...options }, command))

  withRecordsFlags(token.command('list'))
    .description('list the stored tokens: id, kind, time of creation, name, permissions')
    .action((options: Partial<RecordsFlags>) => list({ ...defaults(), ...options }))

  withRecordsFlags(token.command('revoke'))
    .description('refuse a token from now on')
    .argument('<id>', 'as listed, for example tok_0123456789ab')
    .action((id: string, options: Partial<RecordsFlags>) => revoke(id, { ...defaults(), ...options }))
  return token
}

async function create(options: CreateOptions & RecordsFlags, command: Command): Promise<void> {
  if ((options.personal ?? false) === (options.permission !== undefined)) {
    command.error('error: give either --permission, once or more, or --personal')
  }
  const { name, permission = [], dataset, expires: expiresAtMs } = options
  if (options.personal && dataset) command.error('error: a personal token reaches all datasets; leave out --dataset')
  const { record, secret } = makeToken({
    name,
    ...(expiresAtMs !== undefined && { expiresAtMs }),
    ...(options.personal
      ? { kind: 'personal' }
      : { kind: 'api', ...(dataset ? { capabilities: capabilitiesOf(permission, dataset) } : { permissions: permission }) }),
  })
  const isStored = await changeTokens(options, async (db) => {
    await insertToken(db, record)
    return true
  })
  if (!isStored) {
    const remedy = 'name the data directory of the service with --data, or its database with --postgres'
    throw new Error(`there are no records in ${describePlace(options)}, so no service would know the token: ${remedy}`)
  }
  console.error(`created ${record.kind} token ${record.id} (${record.name}); it is shown only this once:`)
  console.log(secret)
}

async function list(place: RecordsFlags): Promise<void> {
  const tokens = await useMadeRecords(place, ({ read }) => listTokens(read))
  for (const token of tokens ?? []) {
    const { id, kind, createdAt, name, expiresAtMs } = token
    const more = [
      limitOf(token)?.join(','),
      expiresAtMs === undefined ? undefined : `expires ${new Date(expiresAtMs).toISOString()}`,
    ]
    const may = kind === 'personal' ? 'all' : permissionsOf(token).join(',')
    console.log([id, kind, createdAt, JSON.stringify(name), may, ...more.filter((part) => part !== undefined)].join('\t'))
  }
}

async function revoke(id: string, place: RecordsFlags): Promise<void> {
  const isRevoked = await changeTokens(place, (db) => deleteToken(db, id))
  if (!isRevoked) throw new Error(`there is no token ${JSON.stringify(id)} in ${describePlace(place)}`)
  console.error(`revoked ${id}`)
}

/** @returns `undefined` where there are no records */
function changeTokens(place: RecordsFlags, work: (db: RecordsDatabase) => Promise<boolean>): Promise<boolean | undefined> {
  const change = async (db: RecordsDatabase) => {
    await raiseVersion(db, 'tokens')
    return work(db)
  }
  return useMadeRecords(place, (records) => records.transaction(change))
}

function collectPermissions(text: string, before: Permission[] = []): Permission[] {
  if (isPermission(text)) return [...before, text]
  throw new InvalidArgumentError(`${JSON.stringify(text)} is not a permission; valid are ${PERMISSIONS.join(', ')}`)
}

function collectDatasets(text: string, before: string[] = []): string[] {
  if (DATASET_NAME_PATTERN.test(text)) return [...before, text]
  throw new InvalidArgumentError(`${JSON.stringify(text)} is not a name of a dataset`)
}

/** @returns milliseconds since the epoch */
function readExpires(text: string): number {
  const duration = parseDuration(text)
  const ns = duration === undefined ? parseTimestamp(text) : BigInt(Date.now()) * 1_000_000n + duration
  const ms = ns === undefined ? Number.NaN : Number(ns / 1_000_000n)
  if (ms > Date.now()) return ms
  throw new InvalidArgumentError(`${JSON.stringify(text)} is neither a duration such as 90d nor a time in the future`)
}
