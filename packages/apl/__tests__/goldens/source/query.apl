web
