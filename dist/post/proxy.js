module.exports = require('../proxy.js')
