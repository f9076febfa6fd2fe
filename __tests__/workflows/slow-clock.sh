# What slow-clock.js does for Node, for commands in Bash.
date() { command date -d '15 minutes ago' "$@"; }
