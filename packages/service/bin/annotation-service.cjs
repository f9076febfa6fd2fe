#!/usr/bin/env node
/**
 * The command `annotation-service`: checks that this Node can run the service, and hands over to `lib/main.js`.
 * CommonJS without anything new in it, so that a Node which is too old reads it and says so, instead of failing on the first
 * file that it cannot parse.
 */
'use strict'

const needed = require('../package.json').engines.node.replace('>=', '')
const [neededMajor, neededMinor] = needed.split('.').map(Number)
const [major, minor] = process.versions.node.split('.').map(Number)

// Node 22 says at each start that its SQLite is an experiment. What we use of it is the same in Node 24, which does not say so.
const { emitWarning } = process
process.emitWarning = (warning, ...more) => {
  if (!String(warning).startsWith('SQLite is an experimental feature')) emitWarning.call(process, warning, ...more)
}

if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) {
  void import('../lib/main.js')
} else {
  console.error(`error: annotation-service needs Node ${needed} or newer, and this is Node ${process.versions.node}`)
  process.exitCode = 1
}
