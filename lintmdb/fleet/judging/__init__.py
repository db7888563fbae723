"""The verdicts of a fleet, in Spark SQL."""
