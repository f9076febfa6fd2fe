/**
 * `annotate completion bash|zsh|fish`: prints a script with which the shell completes subcommands, flags and files. The script contains
 * the names, so that Tab starts no program.
 */
import { Argument, Command } from 'commander'
import { print } from '../output.ts'

const SCRIPTS: Readonly<Record<string, (commands: readonly Command[]) => string>> = { bash, zsh, fish }

export function createCompletionCommand(): Command {
  const shell = new Argument('<shell>', 'which shell completes').choices(Object.keys(SCRIPTS))
  return new Command('completion')
    .description('print the completion for a shell: source <(annotate completion bash)')
    .addArgument(shell)
    .action((name: string, _, { parent }: Command) => {
      const commands = parent?.createHelp().visibleCommands(parent) ?? []
      print(SCRIPTS[name]?.(commands.filter((command) => command.name() !== 'help')) ?? '')
    })
}

const optionsOf = ({ options }: Command) => options.filter(({ hidden }) => !hidden)

const flagsOf = (command: Command) =>
  optionsOf(command)
    .map(({ long }) => long)
    .join(' ')

/** @returns the text as one word of a shell */
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

function bash(commands: readonly Command[]): string {
  const cases = commands.map((command) => `      ${command.name()}) words=${quote(flagsOf(command))} ;;`)
  return `_annotate() {
  local words=
  if [ "$COMP_CWORD" -eq 1 ]; then
    words=${quote(commands.map((command) => command.name()).join(' '))}
  else
    case \${COMP_WORDS[1]} in
${cases.join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _annotate annotate`
}

function zsh(commands: readonly Command[]): string {
  const list = (entries: readonly [name: string | undefined, summary: string][]) =>
    entries.map(([name, summary]) => quote(`${name}:${summary.replaceAll(':', '\\:')}`)).join(' ')
  const cases = commands.map(
    (command) =>
      `    ${command.name()}) entries=(${list(optionsOf(command).map(({ long, description }) => [long, description]))}) ;;`,
  )
  return `#compdef annotate
_annotate() {
  local -a entries
  if (( CURRENT == 2 )); then
    entries=(${list(commands.map((command) => [command.name(), command.description()]))})
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

function fish(commands: readonly Command[]): string {
  const linesOf = (command: Command) => [
    `complete -c annotate -n __fish_use_subcommand -f -a ${command.name()} -d ${quote(command.description())}`,
    ...optionsOf(command).map(
      ({ long, required, description }) =>
        `complete -c annotate -n '__fish_seen_subcommand_from ${command.name()}' -l ${long?.slice(2)}${required ? ' -r' : ''} -d ${quote(description)}`,
    ),
  ]
  return commands.flatMap(linesOf).join('\n')
}
