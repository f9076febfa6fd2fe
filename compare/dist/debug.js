module.exports = require('../../dist/debug.js')
