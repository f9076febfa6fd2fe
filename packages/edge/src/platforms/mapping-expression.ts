/**
 * The expressions of a mapping. One is a text in which what stands in braces is replaced: `{build.tag}` by the member of that path,
 * `{tag|sha|'none'}` by the first of several that is there. There is nothing else to it, so nothing that is sent can run.
 *
 *     placeholder  "{" alternative { "|" alternative } "}"
 *     alternative  "'" text "'" | path [ "~ '" pattern "'" | "~ version" | "+" path ]
 *     path         [ "$." ] step { step } | "header." name
 *     step         "." name | "[" index "]" | '["' name '"]' | "[" name "=" value "]"
 */
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import type { IntegrationMapping } from '@deployment-annotations/contract/integration'
import { invalid, quoted } from '@deployment-annotations/runtime/errors'

/** @throws ServiceError `invalid` naming the member and where its expression breaks off */
export function checkMapping({ states: _, ...expressions }: IntegrationMapping): void {
  for (const [member, text] of Object.entries(expressions)) if (typeof text === 'string') parseExpression(text, member)
}

/** A text as it is, or the alternatives of a placeholder. */
export type Part = string | Alternative[]
export type Alternative = { text: string } | Value

/** A member, or what is made of it. */
interface Value {
  /** Begins with `header` or `body`. */
  path: Step[]
  /** What the member has to be like; what `(*)` stands for counts, or all of it. */
  pattern?: string | undefined
  /** Whether the version counts that the member names. */
  isVersion?: boolean
  /** The path of the milliseconds that are added to the member, which is a time. */
  plus?: Step[] | undefined
}

/** The name of a member or the index of an item; or the first item whose member has the value. */
export type Step = string | { member: string; value: string }

const STEP =
  /^(?:\.?(?<name>[^.[\]|{}"'~+\s][^.[\]|{}"'~+]*)|\[(?<index>\d{1,6})\]|\["(?<key>[^"]*)"\]|\[(?<member>[^=[\]"]+)=(?<value>[^[\]]+)\])/
/** Their values are secrets, which no annotation may show. */
const SECRET_HEADERS = /^(?:proxy-)?authorization$|^cookie$/
const QUOTED = /^\s*'(?<text>[^'{}|]*)'\s*$/
const AFTER_PATH = /^\s*(?:~\s*(?:'(?<pattern>[^']+)'|(?<version>version))\s*|\+(?<plus>.+))?$/

/** @throws ServiceError `invalid` */
export function parseExpression(expression: string, member: string): Part[] {
  const where = `mapping.${member}: ${quoted(expression)}`
  const parts: Part[] = []
  let at = 0
  for (const match of expression.matchAll(/\{([^{}]*)\}/g)) {
    parts.push(expression.slice(at, match.index))
    const alternatives = (match[1] ?? '').split('|')
    parts.push(alternatives.map((text) => parseAlternative(text, where)))
    at = match.index + match[0].length
  }
  parts.push(expression.slice(at))
  const rest = parts.find((part) => typeof part === 'string' && /[{}]/.test(part))
  if (rest !== undefined) throw wrong(`${where} has a brace without its other one`)
  return parts
}

function parseAlternative(text: string, where: string): Alternative {
  const quotedText = QUOTED.exec(text)?.groups?.text
  if (quotedText !== undefined) return { text: quotedText }
  const has = `${where} has ${quoted(`{${text}}`)}`
  const { path, rest } = parsePath(text, has)
  const after = AFTER_PATH.exec(rest)?.groups
  const added = after?.plus === undefined ? undefined : parsePath(after.plus, has)
  const unread = after ? added?.rest : rest
  if (!after || unread) {
    throw wrong(`${has}, where ${quoted(unread ?? '')} is no step of a path, nor one of ~ 'pattern', ~ version and + path`)
  }
  const { pattern, version } = after
  if (pattern && pattern.split('(*)').length > 2) throw wrong(`${has}, whose pattern has (*) more than once`)
  return { path, pattern, isVersion: version !== undefined, plus: added?.path }
}

function parsePath(text: string, has: string): { path: Step[]; rest: string } {
  let rest = text.trim().replace(/^\$(?=[.[])/, '')
  const path: Step[] = []
  for (let step = STEP.exec(rest); step; step = STEP.exec(rest)) {
    const { name, index, key, member = '', value = '' } = step.groups ?? {}
    path.push(name?.trim() ?? index ?? key ?? { member, value })
    rest = rest.slice(step[0].length)
  }
  const isHeader = text.trim().startsWith('header.')
  if (path.length === 0 || (isHeader && path.length !== 2)) {
    throw wrong(`${has}, which is no path such as a.b, a[0].c, a["b c"], a[name=value].c or header.x-name`)
  }
  if (!isHeader) return { path: ['body', ...path], rest }
  const header = String(path[1]).toLowerCase()
  if (SECRET_HEADERS.test(header)) throw wrong(`${has}, whose value is a secret, which no annotation may show`)
  return { path: ['header', header], rest }
}

const wrong = (message: string) => invalid(VALIDATION_CODES.pattern, message)
