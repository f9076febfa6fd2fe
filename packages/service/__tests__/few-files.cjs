/**
 * The service with few files that it may open, as many as FILES_MAX says: only the shell can say so of a process.
 */
'use strict'
const { join } = require('node:path')
const service = join(__dirname, '../bin/annotation-service.cjs')
const limited = `ulimit -n ${Number(process.env.FILES_MAX)}; exec "$0" "$@"`
process.execve('/bin/sh', ['sh', '-c', limited, process.execPath, service, ...process.argv.slice(2)], process.env)
