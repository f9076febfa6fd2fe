/** Writes a query as a command that runs it elsewhere. None has the token: the shell adds it. Pure. */
import { type AplQuery, queryPath } from '@deployment-annotations/contract/query'

type Asked = Required<Pick<AplQuery, 'apl' | 'startTime' | 'endTime'>>

/** Matches characters that end a line, or change how the text around them looks. */
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

/** The body is one line. */
function writeBody({ apl, startTime, endTime }: Asked): string {
  return JSON.stringify({ apl, startTime, endTime }).replace(
    UNSEEN,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
