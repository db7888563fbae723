"""What people and programs read: one module a format."""
