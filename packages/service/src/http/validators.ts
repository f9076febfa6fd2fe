/** What judges the parts of requests by their schemas. Deliberately not here: the schemas, which are the contract's. */
import { AjvCompiler, type BuildCompilerFromPool } from '@fastify/ajv-compiler'

type Compile = ReturnType<BuildCompilerFromPool>
type Validate = ReturnType<Compile>

/**
 * @returns what Fastify makes validators with. A schema is compiled when the first value comes that it judges: a start would compile those of
 * all routes, which takes half of its time, and most of them are never asked for.
 */
export function compileLazily(): BuildCompilerFromPool {
  const build = AjvCompiler()
  /** By the names of the schemas that they know. */
  const compilers = new Map<string, Compile>()
  return (schemas, options) => {
    const names = Object.keys(schemas).join()
    return (definition) => {
      let compiled: Validate | undefined
      const validate = (value: unknown) => {
        const compile = compilers.get(names) ?? build(schemas, options)
        compilers.set(names, compile)
        compiled ??= compile(definition)
        const isValid = compiled(value)
        validate.errors = compiled.errors
        return isValid
      }
      validate.errors = undefined as Validate['errors']
      return validate as Validate
    }
  }
}
