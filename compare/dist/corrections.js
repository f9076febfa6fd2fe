module.exports = require('../../dist/corrections.js')
