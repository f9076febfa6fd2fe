/** Writes a query as a command that runs it elsewhere. None has the token: the shell adds it. Pure. */
import { type AplQuery, queryPath } from '@deployment-annotations/contract/query'

type Asked = Required<Pick<AplQuery, 'apl' | 'startTime' | 'endTime'>>

/** The form in which a workflow refers to a secret. */
const SECRET = '$'.concat('{{ secrets.TOKEN }}')

/** Matches characters that end a line in YAML, or change how the text around them looks. */
const UNSEEN = /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g

/** @param origin of the service, such as `https://…` */
export function writeCurl(query: Asked, origin: string): string {
  return [
    `curl -sS --fail-with-body '${origin}${queryPath('tabular')}' \\`,
    `  -H "Authorization: Bearer $TOKEN" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${writeBody(query).replaceAll("'", "'\\''")}'`,
  ].join('\n')
}

/** @returns a step that reads the token from the repository's secret `TOKEN` */
export function writeStep(query: Asked, origin: string): string {
  const command = writeCurl(query, origin).split('\n')
  return ['- name: Query events', '  env:', `    TOKEN: ${SECRET}`, '  run: |', ...command.map((line) => `    ${line}`), ''].join(
    '\n',
  )
}

/** The body is one line, without anything that a workflow would evaluate as an expression. */
function writeBody({ apl, startTime, endTime }: Asked): string {
  return JSON.stringify({ apl, startTime, endTime })
    .replaceAll('${{', '$\\u007b{')
    .replace(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
