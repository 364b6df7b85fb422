"""The web page: a local server, a worker process per session, and the page itself."""
