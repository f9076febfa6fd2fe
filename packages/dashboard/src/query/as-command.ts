/** A query as a command that asks it elsewhere. The token is in none of them: the shell puts it in. Pure. */
import { queryPath } from '@deployment-annotations/contract/query'
import type { AplQuery } from '@deployment-annotations/contract/schemas/query'

type Asked = Required<Pick<AplQuery, 'apl' | 'startTime' | 'endTime'>>

/** As a workflow writes it. */
const SECRET = '$'.concat('{{ secrets.TOKEN }}')

/** Characters that end a line for YAML, or that change what a person sees of the lines around them. */
const UNSEEN = /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g

/** @param origin of the service, `https://…` */
export function writeCurl(query: Asked, origin: string): string {
  return [
    `curl -sS --fail-with-body '${origin}${queryPath('tabular')}' \\`,
    `  -H "Authorization: Bearer $TOKEN" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${writeBody(query).replaceAll("'", "'\\''")}'`,
  ].join('\n')
}

/** @returns a step that has the token from the repository's secret `TOKEN` */
export function writeStep(query: Asked, origin: string): string {
  const command = writeCurl(query, origin).split('\n')
  return ['- name: Query events', '  env:', `    TOKEN: ${SECRET}`, '  run: |', ...command.map((line) => `    ${line}`), ''].join(
    '\n',
  )
}

/** On one line, and without what a workflow would take for an expression of its own. */
function writeBody({ apl, startTime, endTime }: Asked): string {
  return JSON.stringify({ apl, startTime, endTime })
    .replaceAll('${{', '$\\u007b{')
    .replace(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
