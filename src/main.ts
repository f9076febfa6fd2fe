/** The main step. */
import { run } from './action/run.ts'

// What is still open, such as the connection, takes milliseconds to close.
void run(process.env).then(() => process.exit())
