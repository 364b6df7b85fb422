"""The web page: a local server, a worker process a session, and the page that it shows."""
