"""What happens to a message: one small deterministic state machine for each kind of endpoint."""
