/**
 * `annotate completion bash|zsh|fish`: prints a script for the shell, which then completes subcommands, flags, and files. It is made of
 * the subcommands and flags as they are, and starts no program at a press of Tab.
 */
import { Argument, Command } from 'commander'
import { print } from '../output.ts'

interface Entry {
  name: string
  summary: string
}
interface Subcommand extends Entry {
  flags: (Entry & { takesValue: boolean })[]
}

const SCRIPTS: Readonly<Record<string, (commands: readonly Subcommand[]) => string>> = { bash, zsh, fish }

export function createCompletionCommand(): Command {
  const shell = new Argument('<shell>', 'which shell completes').choices(Object.keys(SCRIPTS))
  return new Command('completion')
    .description('print the completion for a shell: source <(annotate completion bash)')
    .addArgument(shell)
    .action((name: string, _, command: Command) => print(SCRIPTS[name]?.(readSubcommands(command.parent)) ?? ''))
}

function readSubcommands(program: Command | null): Subcommand[] {
  const visible = program?.createHelp().visibleCommands(program) ?? []
  return visible
    .filter((command) => command.name() !== 'help')
    .map((command) => ({
      name: command.name(),
      summary: command.description(),
      flags: command.options.map(({ long, description, required }) => ({
        name: long ?? '',
        summary: description,
        takesValue: required,
      })),
    }))
}

const namesOf = (entries: readonly Entry[]) => entries.map(({ name }) => name).join(' ')

/** @returns the text as one word of a shell */
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

function bash(commands: readonly Subcommand[]): string {
  const cases = commands.map(({ name, flags }) => `      ${name}) words=${quote(namesOf(flags))} ;;`)
  return `_annotate() {
  local words=
  if [ "$COMP_CWORD" -eq 1 ]; then
    words=${quote(namesOf(commands))}
  else
    case \${COMP_WORDS[1]} in
${cases.join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _annotate annotate`
}

function zsh(commands: readonly Subcommand[]): string {
  const list = (entries: readonly Entry[]) =>
    entries.map(({ name, summary }) => quote(`${name}:${summary.replaceAll(':', '\\:')}`)).join(' ')
  const cases = commands.map(({ name, flags }) => `    ${name}) entries=(${list(flags)}) ;;`)
  return `#compdef annotate
_annotate() {
  local -a entries
  if (( CURRENT == 2 )); then
    entries=(${list(commands)})
    _describe command entries
    return
  fi
  case $words[2] in
${cases.join('\n')}
  esac
  _describe -o flag entries || _files
}
compdef _annotate annotate`
}

function fish(commands: readonly Subcommand[]): string {
  const ofCommand = ({ name, summary, flags }: Subcommand) => [
    `complete -c annotate -n __fish_use_subcommand -f -a ${name} -d ${quote(summary)}`,
    ...flags.map(
      (flag) =>
        `complete -c annotate -n '__fish_seen_subcommand_from ${name}' -l ${flag.name.slice(2)}${flag.takesValue ? ' -r' : ''} -d ${quote(flag.summary)}`,
    ),
  ]
  return commands.flatMap(ofCommand).join('\n')
}
