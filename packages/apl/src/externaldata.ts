/**
 * `externaldata`: rows of a file in the network. It is read whole, so that what is wrong with the query is told first.
 * Deliberately not here: the refusal; see `resolve.ts`. The service loads nothing from the network.
 */
import type { Source } from './ast.ts'
import { CompileError, spanning } from './error.ts'
import type { ExpressionParser } from './expression-parser.ts'
import { describeToken } from './token.ts'
import { typedName } from './typed-names.ts'

type ExternalData = Extract<Source, { kind: 'externaldata' }>

/** externaldata = "externaldata" "(" column {"," column} ")" "[" string {"," string} "]" ["with" "(" word "=" expression {"," …} ")"] */
export function externalData(parser: ExpressionParser): ExternalData {
  const { span } = parser.next()
  parser.expectSymbol('(', 'before the columns')
  const columns = parser.list(() => typedName(parser))
  parser.expectSymbol(')', 'after the columns')
  parser.expectSymbol('[', 'before the addresses')
  const addresses = parser.list(() => {
    const token = parser.next()
    if (token.kind === 'string') return token.text
    throw new CompileError('syntax', `expected an address in quotes, found ${describeToken(token)}`, token.span)
  })
  parser.expectSymbol(']', 'after the addresses')
  const options: string[] = []
  if (parser.acceptWord('with')) {
    parser.expectSymbol('(', 'after with')
    parser.list(() => {
      options.push(parser.next().text)
      parser.expectSymbol('=', 'after the option')
      parser.expression()
    })
    parser.expectSymbol(')', 'after the options')
  }
  return { kind: 'externaldata', columns, addresses, options, span: spanning(span, parser.previousSpan()) }
}
