/** The main step. */
import { run } from './action/run.ts'

await run(process.env)
