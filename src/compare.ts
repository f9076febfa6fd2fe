/** The step `compare`. */
import { run } from './comparison/step.ts'

void run()
