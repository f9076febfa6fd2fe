/**
 * A tree back to text, one operator a line. Parsing the text gives an equal tree (but for places).
 * Deliberately not here: keeping the author's layout or comments.
 */
import type { Expression, Let, Operator, Pipeline, Query, Source } from './ast.ts'
import { ExpressionPrinter } from './expression-printer.ts'
import { definitionOf } from './operators/table.ts'

export function printQuery({ lets, pipeline }: Query): string {
  const printer = new Printer()
  return [...lets.map((statement) => printer.let(statement)), printer.pipeline(pipeline)].join('\n')
}

export function printExpression(expression: Expression): string {
  return new Printer().expression(expression)
}

class Printer extends ExpressionPrinter {
  let({ name, value, parameter }: Let): string {
    if (parameter !== undefined)
      return `declare query_parameters (${name}:${parameter} = ${this.expression(value as Expression)});`
    return `let ${name} = ${value.kind === 'pipeline' ? this.pipeline(value) : this.expression(value)};`
  }

  pipeline({ source, operators }: Pipeline): string {
    return [this.source(source), ...operators.map((operator) => `| ${this.operator(operator)}`)].join('\n')
  }

  branch(pipeline: Pipeline): string {
    const { source, operators } = pipeline
    return operators.length === 0 && source.kind === 'dataset' ? this.source(source) : `(${this.pipeline(pipeline)})`
  }

  private source(source: Source): string {
    switch (source.kind) {
      case 'dataset':
        return this.name(source.name)
      case 'print':
        return `print ${this.list(source.columns, (column) => this.named(column))}`
      case 'union-of':
        return `union ${this.list(source.members, (member) => this.branch(member))}`
      case 'subquery':
        return `(${this.pipeline(source.pipeline)})`
      default:
        return source satisfies never
    }
  }

  private operator(operator: Operator): string {
    const definition = definitionOf(operator)
    const keyword = definition.keyword?.(operator) ?? definition.keywords[0]
    return `${keyword} ${definition.print(operator, this)}`.trimEnd()
  }
}
