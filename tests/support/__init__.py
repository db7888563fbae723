"""What the tests share: scenarios, the command line, golden reports, generated estates and audits."""
