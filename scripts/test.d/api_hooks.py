"""What schemathesis must be told to drive Deadwax: browsers' reports are JSON under a name of their own."""

import schemathesis

schemathesis.serializer.alias("application/csp-report", "application/json")
