import { afterAll, beforeAll } from '@jest/globals'
import { Engine } from './engine.ts'

/** @param load called before the first test of the file @returns an engine for all of its tests */
export function engineForTests(load: (engine: Engine) => unknown = () => undefined): Engine {
  const engine = new Engine()
  beforeAll(async () => {
    await load(engine)
  })
  afterAll(() => engine.close())
  return engine
}
