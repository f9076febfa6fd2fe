module.exports = require('../../dist/proxy.js')
