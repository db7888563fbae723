"""The HTML page of an audit."""
