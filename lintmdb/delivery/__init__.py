"""What happens to a message: one small state machine for each kind of endpoint."""
