/**
 * The expressions of a mapping. One is a text in which what stands in braces is replaced: `{build.tag}` by the member of that path,
 * `{tag|sha|'none'}` by the first of several that is there. There is nothing else to it, so nothing that is sent can run.
 */
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import type { IntegrationMapping } from '@deployment-annotations/contract/schemas/integration'
import { invalid, quoted } from '@deployment-annotations/runtime/errors'

/** @throws ServiceError `invalid` naming the member and where its expression breaks off */
export function checkMapping({ states: _, ...expressions }: IntegrationMapping): void {
  for (const [member, text] of Object.entries(expressions)) if (typeof text === 'string') parseExpression(text, member)
}

/** A text as it is, or the alternatives of a placeholder: a path, or a text. */
export type Part = string | (string[] | { text: string })[]

/** `a.b`, `a[0]`, `a["b c"]`, each with or without `$.` before it. */
const STEP = /^(?:\.?(?<name>[^.[\]|{}"'\s][^.[\]|{}"']*)|\[(?<index>\d{1,6})\]|\["(?<quoted>[^"]*)"\])/
const QUOTED = /^\s*'(?<text>[^'{}|]*)'\s*$/

/** @throws ServiceError `invalid` */
export function parseExpression(expression: string, member: string): Part[] {
  const parts: Part[] = []
  let at = 0
  for (const match of expression.matchAll(/\{([^{}]*)\}/g)) {
    parts.push(expression.slice(at, match.index))
    const alternatives = (match[1] ?? '').split('|')
    parts.push(alternatives.map((text) => parseAlternative(text, `mapping.${member}: ${quoted(expression)}`)))
    at = match.index + match[0].length
  }
  parts.push(expression.slice(at))
  const rest = parts.find((part) => typeof part === 'string' && /[{}]/.test(part))
  if (rest !== undefined) throw wrong(member, expression, 'has a brace without its other one')
  return parts
}

function parseAlternative(text: string, where: string): string[] | { text: string } {
  const quotedText = QUOTED.exec(text)?.groups?.text
  if (quotedText !== undefined) return { text: quotedText }
  let rest = text.trim().replace(/^\$(?=[.[])/, '')
  const path: string[] = []
  while (rest !== '') {
    const step = STEP.exec(rest)
    const { name, index, quoted: key } = step?.groups ?? {}
    const found = name?.trim() ?? index ?? key
    if (!step || found === undefined) break
    path.push(found)
    rest = rest.slice(step[0].length)
  }
  if (path.length > 0 && rest === '') return path
  throw invalid(VALIDATION_CODES.pattern, `${where} has ${quoted(`{${text}}`)}, which is no path such as a.b, a[0].c or a["b c"]`)
}

const wrong = (member: string, expression: string, what: string) =>
  invalid(VALIDATION_CODES.pattern, `mapping.${member}: ${quoted(expression)} ${what}`)
