/** The main step. */
import { run } from './action/run.ts'

// Nothing closes the connection, because that takes half a millisecond, and it ends with the process.
void run(process.env).then(() => process.exit())
