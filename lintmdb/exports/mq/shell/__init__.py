"""Reading shell scripts that run MQSC and set authorities, without running anything."""
