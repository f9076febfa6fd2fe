/**
 * Marks the constants of the contract as free of side effects: none of its modules does anything when it is loaded. A bundler then takes
 * the few that a program uses, so that the schemas, which stand beside the bounds and the calls of their resource, are in the service
 * alone. Runs after the compiler, which writes those files anew when their sources have changed.
 * Plain JavaScript, as is all that `npm ci` runs: it runs on the Node of the machine, which may not read TypeScript.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const LIB = 'packages/contract/lib'
/** A constant at the top of a module, to its end, as the compiler writes it. */
const CONSTANT = /^((?:export )?const \w+ = )([\s\S]*?);$(?!\n[ })\]])/gm
/** A function has no side effect until it is called, and a text, a number, an expression or what was marked before has none. */
const IS_PLAIN = /^(?:\(|async\b|function\b|'|"|\/\* @__PURE__)/
/** What a resource says besides what it exports is for its schemas: texts and functions, too, that the step's bundler would leave. */
const IS_RESOURCE = /from '\.\/operation\.js'/
const IS_MARKED = /^\/\* @__PURE__/
/** What a bundler does not look into: calls, spreads, texts with values, members. */
const MAY_DO_MORE = /\(|\.\.\.|\$\{|\w\.\w|\/\.\w|\[\w+\]:| \*/

for (const file of readdirSync(LIB, { recursive: true }).filter((name) => name.endsWith('.js'))) {
  const path = join(LIB, file)
  const text = readFileSync(path, 'utf8')
  const isResource = IS_RESOURCE.test(text)
  const marked = text.replace(CONSTANT, (all, start, value) => {
    const isForSchemas = isResource && !start.startsWith('export') && !IS_MARKED.test(value)
    const isLeft = IS_PLAIN.test(value) || !MAY_DO_MORE.test(value)
    return isLeft && !isForSchemas ? all : `${start}/* @__PURE__ */ (() => (${value}))();`
  })
  if (marked !== text) writeFileSync(path, marked)
}
