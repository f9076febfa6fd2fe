module.exports = require('../corrections.js')
