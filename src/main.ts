/** The main step. */
import { run } from './action/run.ts'

void run(process.env).then(() => {
  // What is still open, such as the connection, takes milliseconds to close. On Windows the log may not be written yet.
  if (process.platform !== 'win32') process.exit()
})
