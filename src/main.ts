/** The main step. */
import { run } from './action/run.ts'

// The connection is not closed, because that takes half a millisecond and the process ends anyway.
void run(process.env).then(() => process.exit())
