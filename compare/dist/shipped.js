module.exports = require('../../dist/shipped.js')
