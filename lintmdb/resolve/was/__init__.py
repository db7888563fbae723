"""One cell of WebSphere Application Server: its objects to relations."""
