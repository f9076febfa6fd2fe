/**
 * The service on a machine whose clock is wrong: ahead by as many milliseconds as AHEAD_MS says.
 */
'use strict'
const Right = Date
const now = () => Right.now() + Number(process.env.AHEAD_MS)
globalThis.Date = class WrongDate extends Right {
  constructor(...parts) {
    super(...(parts.length === 0 ? [now()] : parts))
  }
}
Date.now = now
require('../../bin/annotation-service.cjs')
