['web'] // a comment
| take 2;
