/**
 * The `token` subcommands: create, list, revoke. They touch the token file only, so they work beside a running service.
 */
import { mkdirSync } from 'node:fs'
import { PERMISSIONS, type Permission } from '@deployment-annotations/contract/token'
import { Command, InvalidArgumentError } from 'commander'
import { parsePermission } from './permissions.ts'
import { makeToken } from './token.ts'
import { readTokens, tokenFilePath, updateTokens } from './token-file.ts'

/** @param defaultDataDir used where the subcommand has no `--data` of its own */
export function createTokenCommand(defaultDataDir: () => string): Command {
  const token = new Command('token').description('create, list and revoke tokens; works while the service is running')
  const withData = (command: Command) => command.option('--data <directory>', 'data directory of the service (default: ".data")')
  const fileOf = (options: { data?: string }) => tokenFilePath(options.data ?? defaultDataDir())

  withData(token.command('create'))
    .description('create a token and print it; only its hash is stored')
    .option('--name <name>', 'its name in the log and in lists', 'unnamed')
    .option('--permission <permission...>', `what it may do: ${PERMISSIONS.join(', ')}`, collectPermissions)
    .option('--personal', 'create a personal token, which may do everything')
    .action(async (options: { data?: string; name: string; permission?: Permission[]; personal?: boolean }, command: Command) => {
      if ((options.personal ?? false) === (options.permission !== undefined)) {
        command.error('error: give either --permission, once or more, or --personal')
      }
      const { record, secret } = makeToken(options.name, options.personal ? 'all' : (options.permission ?? []))
      mkdirSync(options.data ?? defaultDataDir(), { recursive: true, mode: 0o700 })
      await updateTokens(fileOf(options), (tokens) => [...tokens, record])
      console.error(`created ${record.kind} token ${record.id} (${record.name}); it is shown only this once:`)
      console.log(secret)
    })

  withData(token.command('list'))
    .description('list the stored tokens: id, kind, time of creation, name, permissions')
    .action((options: { data?: string }) => {
      for (const { id, kind, createdAt, name, permissions } of readTokens(fileOf(options))) {
        console.log([id, kind, createdAt, JSON.stringify(name), kind === 'personal' ? 'all' : permissions.join(',')].join('\t'))
      }
    })

  withData(token.command('revoke'))
    .description('refuse a token from now on')
    .argument('<id>', 'as listed, for example tok_0123456789ab')
    .action(async (id: string, options: { data?: string }) => {
      await updateTokens(fileOf(options), (tokens) => {
        const kept = tokens.filter((record) => record.id !== id)
        if (kept.length === tokens.length) throw new Error(`there is no token ${JSON.stringify(id)} in ${fileOf(options)}`)
        return kept
      })
      console.error(`revoked ${id}`)
    })
  return token
}

function collectPermissions(text: string, before: Permission[] = []): Permission[] {
  try {
    return [...before, parsePermission(text)]
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error))
  }
}
