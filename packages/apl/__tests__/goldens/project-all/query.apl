web
| project *
| take 1
