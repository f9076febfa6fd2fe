/** The step `compare`. */
import { run } from './comparison/run.ts'

await run()
